package source

import (
	"strings"
	"testing"
	"testing/fstest"
)

// The texts are the first article of the Universal Declaration of Human Rights, in the languages
// that have function words.
func TestDetectLanguage(t *testing.T) {
	for language, text := range map[string]string{
		"en": "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood.",
		"fr": "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité.",
		"de": "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen.",
		"es": "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.",
		"pt": "Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e de consciência, devem agir uns para com os outros em espírito de fraternidade.",
		"it": "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di coscienza e devono agire gli uni verso gli altri in spirito di fratellanza.",
		"nl": "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren. Zij zijn begiftigd met verstand en geweten, en behoren zich jegens elkander in een geest van broederschap te gedragen.",
		"sv": "Alla människor är födda fria och lika i värde och rättigheter. De är utrustade med förnuft och samvete och bör handla gentemot varandra i en anda av broderskap.",
		"da": "Alle mennesker er født frie og lige i værdighed og rettigheder. De er udstyret med fornuft og samvittighed, og de bør handle mod hverandre i en broderskabets ånd.",
		"nb": "Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter. De er utstyrt med fornuft og samvittighet og bør handle mot hverandre i brorskapets ånd.",
		"is": "Hver maður er borinn frjáls og jafn öðrum að virðingu og réttindum. Menn eru gæddir vitsmunum og samvizku, og ber þeim að breyta bróðurlega hverjum við annan.",
		"fi": "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille on annettu järki ja omatunto, ja heidän on toimittava toisiaan kohtaan veljeyden hengessä.",
		"et": "Kõik inimesed sünnivad vabadena ja võrdsetena oma väärikuselt ja õigustelt. Neile on antud mõistus ja südametunnistus ja nende suhtumist üksteisesse peab kandma vendluse vaim.",
		"hu": "Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek, ésszel és lelkiismerettel bírván, egymással szemben testvéri szellemben kell hogy viseltessenek.",
		"pl": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa.",
		"cs": "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím a mají spolu jednat v duchu bratrství.",
		"sk": "Všetci ľudia sa rodia slobodní a sebe rovní, čo sa týka ich dôstojnosti a práv. Sú obdarení rozumom a majú navzájom jednať v bratskom duchu.",
		"sl": "Vsi ljudje se rodijo svobodni in imajo enako dostojanstvo in enake pravice. Obdarjeni so z razumom in vestjo in bi morali ravnati drug z drugim kakor bratje. Vsakdo je upravičen do uživanja vseh pravic in svoboščin, ki so razglašene s to Deklaracijo, ne glede na raso.",
		"hr": "Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima. Ona su obdarena razumom i sviješću i trebaju jedna prema drugima postupati u duhu bratstva.",
		"ro": "Toate ființele umane se nasc libere și egale în demnitate și în drepturi. Ele sunt înzestrate cu rațiune și conștiință și trebuie să se comporte unele față de altele în spiritul fraternității.",
		"tr": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler. Herkes, ırk, renk, dil, din veya başka bir fark gözetilmeksizin bu bildirgede ilan olunan bütün haklardan yararlanabilir.",
		"vi": "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. Mọi con người đều được tạo hoá ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình bằng hữu.",
		"id": "Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama. Mereka dikaruniai akal dan hati nurani dan hendaknya bergaul satu sama lain dalam semangat persaudaraan.",
		"sw": "Watu wote wamezaliwa huru, hadhi na haki zao ni sawa. Wote wamejaliwa akili na dhamiri, hivyo yapasa watendeane kindugu kama watu wa nchi moja katika haki za wao.",
		"ca": "Tots els éssers humans neixen lliures i iguals en dignitat i en drets. Són dotats de raó i de consciència, i els cal mantenir-se entre ells amb esperit de fraternitat.",
		"eu": "Gizon-emakume guztiak aske jaiotzen dira, duintasun eta eskubide berberak dituztela; eta ezaguera eta kontzientzia dutenez gero, elkarren artean senide legez jokatu beharra dute.",
		"gl": "Tódolos seres humanos nacen libres e iguais en dignidade e dereitos e, dotados como están de razón e conciencia, débense comportar fraternalmente uns cos outros, pola súa parte, máis unha vez.",
		"lt": "Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis. Jiems suteiktas protas ir sąžinė ir jie turi elgtis vienas kito atžvilgiu kaip broliai. Kiekvienas žmogus gali naudotis visomis teisėmis ir laisvėmis, kurios yra paskelbtos šioje Deklaracijoje, be jokių skirtumų dėl rasės.",
		"lv": "Visi cilvēki piedzimst brīvi un vienlīdzīgi savā pašcieņā un tiesībās. Viņi ir apveltīti ar saprātu un sirdsapziņu, un viņiem jāizturas citam pret citu brālības garā.",
		"sq": "Të gjithë njerëzit lindin të lirë dhe të barabartë në dinjitet dhe në të drejta. Ata kanë arsye dhe ndërgjegje dhe duhet të sillen ndaj njëri tjetrit me frymë vëllazërimi.",
		"ru": "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства. Это для всех.",
		"uk": "Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом і совістю і повинні діяти у відношенні один до одного в дусі братерства.",
		"bg": "Всички хора се раждат свободни и равни по достойнство и права. Те са надарени с разум и съвест и следва да се отнасят помежду си в дух на братство.",
		"sr": "Сва људска бића рађају се слободна и једнака у достојанству и правима. Она су обдарена разумом и свешћу и треба једни према другима да поступају у духу братства.",
		"ar": "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء، في كل ذلك. لكل إنسان حق التمتع بكافة الحقوق والحريات الواردة في هذا الإعلان، دون أي تمييز من أي نوع، أو على أساس الدين.",
		"fa": "تمام افراد بشر آزاد به دنیا می آیند و از لحاظ حیثیت و حقوق با هم برابرند. همه دارای عقل و وجدان هستند و باید نسبت به یکدیگر با روح برادری رفتار کنند.",
		"hi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए।",
		"el": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
		"he": "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
		"th": "มนุษย์ทั้งปวงเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม",
		"ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
		"ja": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
		"zh": "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。",
		"":   "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.",
	} {
		if got := detectLanguage(strings.Repeat(text+" ", 2), languagesOfWords()); got != language {
			t.Errorf("%s is detected as %q", language, got)
		}
	}
}

// A few words of English, and texts that are not prose, must not pass for another language.
func TestDetectLanguageOfFewWords(t *testing.T) {
	for name, text := range map[string]string{
		"links":           "- [Foo](https://foo.com)\n- [Bar](https://bar.com/x)\n- https://baz.com\n- quux.com and corge.com.",
		"a diary":         "I think I like cats. I do. I do not like dogs, I said.",
		"steps":           "Make a file. Make a folder. Run a test. Send a mail.",
		"one word":        "Written in Go. Found in Berlin. Spoken in class.",
		"words":           "word word word word *word*",
		"fenced code":     "```\nfor (i = 0; i < n; i++) { x[i] = i; do(a, i, od, se) }\n```\n",
		"indented code":   "    docker run -it -v de:la -e los las con\n    cd /usr; ls -la los con por sus\n",
		"code in lines":   "Call `de`, `la`, `los`, `las` or `con por para`.",
		"formulas":        "Let α be x. With β and γ, δ ε ζ the sum is η.",
		"a foreign quote": "The poem that he wrote for the school begins with the words Das ist nicht die Welt, and this was all of it that we have.",
	} {
		if got := detectLanguage(text, languagesOfWords()); got != "" && got != "en" {
			t.Errorf("%s is detected as %q", name, got)
		}
	}
}

// A site that names no language gets that of most of its articles. A language named in site.yaml or
// by the generator is kept.
func TestLanguageOfTheArticles(t *testing.T) {
	const polish = "Nie ma złej pogody, jest tylko nieodpowiedni strój. Kto idzie w góry, musi o tym pamiętać, bo na szczycie jest zimno."
	const quartz = `export default { configuration: { locale: "en-US" } }` // as each new site has it
	const english = "This is the one article that was written for those who do not read the others, and it says that the paths are of stone."
	for name, site := range map[string]struct {
		files map[string]string
		want  string // language of the site and of a.md
	}{
		"most are Polish":          {map[string]string{"a.md": polish, "b.md": english, "c.md": polish}, "pl pl"},
		"half are":                 {map[string]string{"a.md": polish, "b.md": english}, "en en"},
		"nothing is said":          {map[string]string{"a.md": "Tak.", "b.md": "Nie."}, "en en"},
		"one names its own":        {map[string]string{"a.md": "---\nlang: fr\n---\nOui.", "b.md": polish}, "pl fr"},
		"the site names one":       {map[string]string{"site.yaml": "language: cs", "a.md": polish}, "cs cs"},
		"Hugo's is English":        {map[string]string{"hugo.toml": "title = 'T'", "content/a.md": polish}, "en en"},
		"Jekyll's is not":          {map[string]string{"_config.yml": "title: T", "_posts/2020-01-01-a.md": "---\ntitle: A\n---\n" + polish}, "pl pl"},
		"Quartz's need not be":     {map[string]string{"quartz.config.ts": quartz, "content/a.md": polish}, "pl pl"},
		"Quartz's may be":          {map[string]string{"quartz.config.ts": quartz, "content/a.md": english}, "en-US en-US"},
		"the Polish ones say it":   {map[string]string{"a.md": "A *to* b.", "b.md": "---\nlanguage: pl\n---\n" + polish, "c.md": "Lang: pl\n\n" + polish}, "en en"},
		"Jekyll says it of them":   {map[string]string{"_config.yml": "defaults: [{scope: {path: pl}, values: {lang: pl}}]", "pl/_posts/2020-01-01-b.md": "---\ntitle: B\n---\n" + polish, "pl/_posts/2020-01-01-c.md": "---\ntitle: C\n---\n" + polish, "_posts/2020-01-01-a.md": "---\ntitle: A\n---\nA to b."}, "en en"},
		"Eleventy says it of them": {map[string]string{"eleventy.config.js": "", "pl/pl.json": `{"lang": "pl"}`, "pl/b.md": polish, "pl/c.md": polish, "a.md": "---\ntitle: A\n---\nA to b."}, "en en"},
		"one of many is known":     {map[string]string{"a.md": "Tak.", "b.md": polish, "c.md": "Nie."}, "en en"},
		"beside its translations":  {map[string]string{"a.md": polish, "b.md": polish, "c.md": polish, "en/b.md": english, "en/c.md": english}, "pl pl"},
		"names of languages":       {map[string]string{"a.md": english, "a.pl.md": polish, "b.md": "x", "b.pl.md": polish, "c.pl.md": polish}, "en en"},
		"folders of languages":     {map[string]string{"en/b.md": english, "pl/b.md": polish, "de/b.md": "x", "pl/a.md": polish}, "en pl"},
	} {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{}
			for path, text := range site.files {
				files[path] = &fstest.MapFile{Data: []byte(text)}
			}
			f, err := Scan(t.Context(), files, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range f.Files {
				if strings.HasSuffix(file.Path, "a.md") && f.Site.Language+" "+file.Language != site.want {
					t.Errorf("the languages of the site and the article are %s and %s, want %s", f.Site.Language, file.Language, site.want)
				}
			}
		})
	}
}
