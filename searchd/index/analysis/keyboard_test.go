package analysis

import "testing"

func TestOtherLayout(t *testing.T) {
	for _, test := range []struct{ code, text, want string }{
		{"ru", "ащте-ышяу", "font-size"},
		{"ru", "ghjvbc", "промис"},
		{"ru", "[jcnbyu", "хостинг"},
		{"ru", "Lfnf BASE", "дата ифыу"},
		{"ru", `{jcnbyu "ktrnhjy`, "хостинг электрон"},
		{"ru", ":tktpj <fps >ybrjl ~krf }", "железо базы юникод ёлка ъ"},
		{"ru", "хорошо", "[jhjij"},
		{"ru", "ФЗШ 2.0", "api 2.0"},
		{"uk", "pdbxfqyj", "звичайно"},
		{"uk", "sycnhevtyn", "інструмент"},
		{"uk", `gfv` + "`" + `znm \fyjr`, "пам'ять ґанок"},
		{"ru", "css промис", ""},
		{"ru", "café au lait", ""},
		{"ru", "їжак", ""},
		{"ru", "vb!", ""},
		{"ru", "2024", ""},
		{"de", "ghjvbc", ""},
	} {
		if got := OtherLayout(test.text, test.code); got != test.want {
			t.Errorf("%s in %s: got %q, want %q", test.text, test.code, got, test.want)
		}
	}
}
