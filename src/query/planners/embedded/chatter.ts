// Capitalised or short words that open a message and name nothing.

const CHATTER = new Set(
  `yes no ok okay yeah yep hello hi hey thanks thank sorry glad good great right noted sure done welcome shall summary please
  certainly absolutely let
  oh ah hm hmm
  ja nein danke hallo gut bitte stimmt der die das den dem des ein eine ist und oder er sie es ich wir vom zum im am um auf
  oui non merci bonjour le la les l un une des du de et est à au aux en ce il elle vous votre notre bien sûr d accord
  sí hola gracias el los las del y o en se su es un una al bom dia sim não olá obrigado a os as do da em no na um uma e
  да нет спасибо привет в на и с у к по не из от до это здравствуйте
  好的 你好 您好 请 네 예 아니요 안녕하세요 نعم لا مرحبا في من हाँ जी नमस्ते के की का में है से को`
    .split(/\s+/)
    .filter(Boolean),
);

export function isChatter(word: string): boolean {
  return CHATTER.has(word.toLowerCase());
}
