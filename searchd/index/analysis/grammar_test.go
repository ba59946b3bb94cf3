package analysis

import (
	"strings"
	"testing"
)

// Pairs of characters that need not be found, beside the others of their run.
func TestSaysLittle(t *testing.T) {
	for text, want := range map[string]string{
		"フックとは": "クと とは", "フックとは何ですか": "クと とは は何 何で です すか", "純粋なコンポーネントを": "粋な なコ トを", "条件付きレンダー": "付き きレ ダー",
		"受け取る": "", "くだもの": "", "お知らせ": "知ら らせ", "作り方": "", "何故": "", "サーバー証明書": "バー", "サーバーの証明書": "バー ーの の証", "エラー": "", "カバー": "", "（フック）とは": "とは", "useStateとは": "とは",
		"<progress>とは": "とは", "C++とは": "とは", "C#とは": "とは", "みかん+りんご": "", "みかん＋りんご": "", "<b>→りんご": "", "C++란": "란",
		"什么是组件": "什么 么是 是组", "组件是什么": "件是 是什 什么", "组件的状态": "件的 的状", "目的": "", "目的地": "", "怎麼部署": "怎麼 麼部",
		"렌더링이란": "링이 이란", "컴포넌트를": "트를", "값을": "", "회의": "", "useState란": "란", "무엇인가요": "무엇 엇인 인가 가요", "작동하나요": "동하 하나 나요", "설치할까요": "치할 할까 까요", "설치하려면": "치하 하려 려면", "하나요": "하나 나요", "사과나무": "", "업데이트하기": "트하 하기",
		"ค้นหา": "", "ตัวแปรคืออะไร": "รคื คือ ออ อะ ะไ ไร", "ทำไมต้องค้นหา": "ทำไ ไม มต้", "อะไร": "อะ ะไ ไร", "เกิดเมื่อไร": "ดเ เมื่ มื่อ อไ ไร", "ใครเขียน": "ใค คร รเ", "เกี่ยวกัน": "",
	} {
		var got []string
		for w := (Tokenizer{Text: text}); w.Next(); {
			for i := range max(1, len(w.Parts)-1) {
				if w.Class == Unspaced && w.SaysLittle(i) {
					got = append(got, string(w.Neighbours(i)))
				}
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
