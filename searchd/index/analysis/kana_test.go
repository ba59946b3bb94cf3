package analysis

import "testing"

func TestOtherKana(t *testing.T) {
	for text, want := range map[string]string{
		"くろーじゃ": "クロージャ", "プロミス": "ぷろみす", "さーばー 設定 api": "サーバー 設定 api", "フック": "ふっく", "ゔぁいおりん": "ヴァイオリン",
		"": "", "ねこ": "", "設定": "", "promise": "", "使い方": "", "プロミスとは": "", "ーーー": "", "ﾌﾟﾛﾐｽ": "", "フックのテスト ふっく": "フックのテスト フック",
	} {
		if got := OtherKana(text); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
		if want != "" && OtherKana(want) != text && text != "フックのテスト ふっく" {
			t.Errorf("%s: the way back is %q", text, OtherKana(want))
		}
	}
}
