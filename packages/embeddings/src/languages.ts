/** A language that a model of English reads word by word, without knowing it. */
export interface Language {
  /** Small words that are frequent in it and are no English words. */
  words: string;
  /** Plain requests of many kinds: what their vectors have in common is the language, not what is asked. */
  requests: readonly string[];
}

export const LANGUAGES: Readonly<Record<string, Language>> = {
  da: {
    words: "jeg det til af og på ikke hvordan hvad kan du den der som med mit min mig vil gerne har er et fra denne",
    requests: [
      "Hvordan bliver vejret i min by i morgen?",
      "Send en besked til min ven.",
      "Find den bedste pris på denne bog.",
      "Oversæt denne tekst for mig.",
      "Opret en ny fil med disse tal.",
      "Jeg vil gerne høre noget musik.",
      "Hvordan kommer jeg til stationen?",
      "Vis mig et billede af huset.",
    ],
  },
  de: {
    words:
      "ich der das und nicht ist ein eine einen mir mein meinen wie für auf mit von den dem zu zum bitte wird über",
    requests: [
      "Wie ist das Wetter morgen in meiner Stadt?",
      "Schicke eine Nachricht an meinen Freund.",
      "Finde den besten Preis für dieses Buch.",
      "Übersetze diesen Text für mich.",
      "Erstelle eine neue Datei mit diesen Zahlen.",
      "Ich möchte etwas Musik hören.",
      "Wie komme ich zum Bahnhof?",
      "Zeige mir ein Bild von dem Haus.",
    ],
  },
  es: {
    words: "el los las que una por para con del mi este esta cómo qué quiero necesito puedes y es un de la en archivo",
    requests: [
      "¿Qué tiempo hará mañana en mi ciudad?",
      "Envía un mensaje a mi amigo.",
      "Encuentra el mejor precio para este libro.",
      "Traduce este texto para mí.",
      "Crea un archivo nuevo con estos números.",
      "Quiero escuchar un poco de música.",
      "¿Cómo llego a la estación?",
      "Muéstrame una foto de la casa.",
    ],
  },
  fr: {
    words:
      "le les des une est que je vous pour dans mon ma ce cette avec sur et à au du de la un peux veux comment quel en",
    requests: [
      "Quel temps fera-t-il demain dans ma ville ?",
      "Envoie un message à mon ami.",
      "Trouve le meilleur prix pour ce livre.",
      "Traduis ce texte pour moi.",
      "Crée un nouveau fichier avec ces nombres.",
      "Je veux écouter un peu de musique.",
      "Comment aller à la gare ?",
      "Montre-moi une image de la maison.",
    ],
  },
  it: {
    words: "il gli che una per con del della mio mia questo questa come voglio puoi di nel è un la e file sono alla",
    requests: [
      "Che tempo farà domani nella mia città?",
      "Manda un messaggio al mio amico.",
      "Trova il prezzo migliore per questo libro.",
      "Traduci questo testo per me.",
      "Crea un nuovo file con questi numeri.",
      "Voglio ascoltare un po' di musica.",
      "Come arrivo alla stazione?",
      "Mostrami una foto della casa.",
    ],
  },
  nl: {
    words: "ik het een van en niet voor met mijn op dat dit deze hoe kan je wil naar mij aan er is wordt bij",
    requests: [
      "Wat voor weer wordt het morgen in mijn stad?",
      "Stuur een bericht naar mijn vriend.",
      "Zoek de beste prijs voor dit boek.",
      "Vertaal deze tekst voor mij.",
      "Maak een nieuw bestand met deze getallen.",
      "Ik wil wat muziek luisteren.",
      "Hoe kom ik bij het station?",
      "Laat me een foto van het huis zien.",
    ],
  },
  pt: {
    words: "os uma que para com meu minha este esta como não quero você por da na e é um de em no o ao arquivo",
    requests: [
      "Como estará o tempo amanhã na minha cidade?",
      "Envie uma mensagem para o meu amigo.",
      "Encontre o melhor preço para este livro.",
      "Traduza este texto para mim.",
      "Crie um arquivo novo com estes números.",
      "Quero ouvir um pouco de música.",
      "Como chego à estação?",
      "Mostre-me uma foto da casa.",
    ],
  },
  sv: {
    words: "jag det att och på inte hur vad kan du den som med mitt min mig vill är ett från denna till av åt",
    requests: [
      "Hur blir vädret i min stad i morgon?",
      "Skicka ett meddelande till min vän.",
      "Hitta det bästa priset på den här boken.",
      "Översätt den här texten åt mig.",
      "Skapa en ny fil med de här siffrorna.",
      "Jag vill lyssna på lite musik.",
      "Hur kommer jag till stationen?",
      "Visa mig en bild av huset.",
    ],
  },
};
