import { createEmbedder } from "@pml/embeddings";
import { afterAll, describe, expect, it } from "vitest";

const TOOLS = [
  "Get the weather forecast for a city",
  "Translate a document into another language",
  "Send an email to a person",
  "Book a flight to a destination",
  "Extract text from an image",
  "Search recent news articles",
  "Create an event in the calendar",
  "Add up the numbers of a list",
  "Play a piece of music",
  "Delete old backup files",
  "Make a funny picture with a caption",
  "Find a recipe for dinner",
  "Convert between currencies",
  "Rate a glass of rice wine",
  "Tell the current time",
  "Summarise a long video",
  "Draw a chart of sales",
  "Check the spelling of a text",
  "Find a job near me",
  "Measure the speed of a web page",
];
/** The first ten tools, asked for in order. */
const REQUESTS: Record<string, string> = {
  French:
    "Quel temps fait-il demain à Paris|Traduis ce document en anglais|Envoie un courriel à mon chef|Réserve un vol pour Tokyo|Lis le texte de cette image|Cherche les dernières nouvelles|Crée un rendez-vous dans le calendrier|Calcule la somme de cette liste|Joue un morceau de musique classique|Supprime les vieilles sauvegardes",
  Danish:
    "Hvordan bliver vejret i Paris i morgen|Oversæt dette dokument til engelsk|Send en mail til min chef|Bestil et fly til Tokyo|Læs teksten på billedet|Find de seneste nyheder|Opret en aftale i kalenderen|Læg tallene på listen sammen|Spil noget klassisk musik|Slet de gamle sikkerhedskopier",
  Russian:
    "какая погода завтра в Париже|переведи этот файл на английский|отправь письмо моему начальнику|забронируй рейс в Токио|преобразуй картинку в текст|найди последние новости|создай событие в календаре|посчитай сумму этого списка|включи классическую музыку|удали старые копии",
  Arabic:
    "ما هو الطقس غدا في باريس|ترجم هذا الملف إلى الإنجليزية|أرسل بريدا إلى مديري|احجز رحلة إلى طوكيو|حول الصورة إلى نص|ابحث عن آخر الأخبار|أنشئ حدثا جديدا في التقويم|احسب مجموع هذه القائمة|شغل موسيقى كلاسيكية|احذف النسخ القديمة",
  Hindi:
    "कल पेरिस में मौसम कैसा है|इस फ़ाइल का अंग्रेज़ी में अनुवाद करो|मेरे बॉस को ईमेल भेजो|टोक्यो की उड़ान बुक करो|चित्र को पाठ में बदलो|ताज़ा समाचार खोजो|कैलेंडर में नया कार्यक्रम बनाओ|इस सूची का योग निकालो|शास्त्रीय संगीत चलाओ|पुराने बैकअप हटाओ",
  Thai: "พรุ่งนี้อากาศที่ปารีสเป็นอย่างไร|แปลไฟล์นี้เป็นภาษาอังกฤษ|ส่งอีเมลถึงเจ้านายของฉัน|จองเที่ยวบินไปโตเกียว|แปลงรูปภาพเป็นข้อความ|ค้นหาข่าวล่าสุด|สร้างกิจกรรมใหม่ในปฏิทิน|คำนวณผลรวมของรายการนี้|เล่นเพลงคลาสสิก|ลบไฟล์สำรองเก่า",
  Chinese:
    "明天巴黎的天气怎么样|把这个文件翻译成英文|给我的老板发一封邮件|预订去东京的航班|把图片转换成文字|搜索最新的新闻|创建一个新的日历事件|计算这个列表的总和|播放一首古典音乐|删除旧的备份文件",
};

const embedder = createEmbedder();
afterAll(() => embedder.close?.());

describe.each(Object.entries(REQUESTS))("texts in %s", (_, joined) => {
  const requests = joined.split("|");

  it("do not fall onto one result", async () => {
    const tools = await embedder.embed(TOOLS);
    const asked = await embedder.embed(requests);
    const nearest = asked.map((vector) => findNearest(vector, tools));
    const counts = TOOLS.map((_tool, index) => nearest.filter((each) => each === index).length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(4);
  });

  it("are told apart, and found again", async () => {
    const stored = await embedder.embed(requests);
    const again = await embedder.embed(requests.map((text) => `${text}!`));
    expect(again.map((vector) => findNearest(vector, stored))).toEqual(requests.map((_text, index) => index));
    for (const [at, a] of stored.entries()) for (const b of stored.slice(at + 1)) expect(dot(a, b)).toBeLessThan(0.85);
  });
});

describe("a text seen before", () => {
  it("is not computed again", async () => {
    const texts = Array.from({ length: 60 }, (_, index) => `a text that nobody has written before, number ${index}`);
    const time = async (): Promise<number> => {
      const started = performance.now();
      await embedder.embed(texts);
      return performance.now() - started;
    };
    const first = await time();
    expect(await time()).toBeLessThan(first / 5);
  });
});

function findNearest(vector: Float32Array, others: readonly Float32Array[]): number {
  const likeness = others.map((other) => dot(vector, other));
  return likeness.indexOf(Math.max(...likeness));
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
