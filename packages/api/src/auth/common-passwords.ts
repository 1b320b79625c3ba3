/**
 * Passwords that every published list of the most used ones has, gathered by hand for this project: whole passwords,
 * and words that people only put a few digits behind. Patterns (runs, repeats, keyboard rows) are recognised by rule.
 */
const whole = new Set(
  `password1! password! password!1 p@ssword p@ssw0rd p@ssword1 p@ssw0rd1 passw0rd pa$$word pa$$w0rd pass1234 passpass
  qwerty12345 qwer1234 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qazxsw2 zaq12wsx q1w2e3r4 q1w2e3r4t5 qazwsxedc
  qwe123qwe 123qweasd 123qwe123 asd123asd a1b2c3d4 a1s2d3f4 abc12345 abcd1234 abcdef123 aa123456 a1234567 a12345678
  a123456789 1234abcd 12345abc 123456abc 123456qwerty 1234qwer 123123qwe 12341234 123454321 147258369 147852369
  159357456 159753456 741852963 789456123 963852741 987456321 112233445566 1122334455 121212121 131313131 11223344
  letmein1! welcome1! admin123! changeme! trustno1 iloveyou! i love you i loveyou ncc1701d ncc1701e`
    .split(/\s+/)
    .concat('i love you'),
);

const words = new Set(
  `password passwords passwort motdepasse contrasena contraseña senha parola wachtwoord parool lozinka haslo
  qwerty qwertyui qwertyuiop azerty qwertz asdfgh asdfghjk asdfghjkl zxcvbn zxcvbnm asdf qwer qwert abc abcd abcde
  letmein welcome changeme changeit secret topsecret default guest admin administrator root toor login master superuser
  iloveyou iloveu loveyou ilovey princess sunshine football baseball basketball softball volleyball dragon monkey
  superman batman spiderman ironman starwars pokemon naruto minecraft fortnite shadow michael michelle jennifer jessica
  jordan jordan23 charlie ashley daniel danielle thomas robert andrew anthony joshua matthew nicholas nicole jasmine
  samantha alexander alexandra victoria elizabeth patrick william benjamin jonathan christian christopher christina
  stephanie gabriel gabriela fernando francisco alejandro alejandra valentina veronica natalie natasha mercedes porsche
  ferrari corvette mustang chevrolet chocolate butterfly strawberry blueberry rainbow flowers sunflower hello hellohello
  helloworld whatever computer internet samsung iphone android google facebook youtube linkedin instagram microsoft
  windows liverpool arsenal chelsea barcelona realmadrid manchester juventus cowboys steelers yankees lakers packers
  hunter killer soccer hockey tennis cheese cookie pepper ginger maggie summer winter spring autumn january february
  september october november december monday friday freedom forever friends family babygirl babyboy lovely loveme
  lovelove precious beautiful handsome gorgeous purple orange yellow silver golden diamond phoenix thunder lightning
  trustno matrix access access14 test testing tester testtest test1234 testpass demo user username temp temppass
  metallica slipknot nirvana eminem blink182 greenday bulldog tigger garfield snoopy mickey winnie scooby bigdaddy
  bigdick fuckyou fuckoff asshole pussy blowjob biteme dickhead superstar rockstar champion warrior maverick wizard
  midnight moonlight starlight scorpion panther cheetah dolphin elephant penguin kitty kitten puppy doggie horses
  jesus christ jesuschrist godisgood blessed angel angels heaven money million dollar gateway compaq`.split(/\s+/),
);

const MAX_TRAILING_DIGITS = 4; // `sunshine2024` is guessed early; `sunshine48213957` is not
const runs = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb',
];

/** Whether a password is among the first that anybody would try. */
export function isCommonPassword(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  return whole.has(plain) || isWordWithDigits(plain) || isRun(plain) || isRepeat(plain);
}

function isWordWithDigits(plain: string): boolean {
  for (let digits = 0; digits <= MAX_TRAILING_DIGITS && digits < plain.length; digits += 1) {
    const stem = plain.slice(0, plain.length - digits);
    if (words.has(stem)) return true;
    if (!/\d$/.test(stem)) return false;
  }
  return false;
}

/** `12345678`, `87654321`, `qwertyuiop`, `abcdefgh`. */
function isRun(plain: string): boolean {
  const reversed = [...plain].reverse().join('');
  return runs.some((run) => run.includes(plain) || run.includes(reversed));
}

/** `aaaaaaaa`, `abcabcabc`, `12121212`: up to four characters over and over. */
function isRepeat(plain: string): boolean {
  for (let length = 1; length <= 4 && length * 2 <= plain.length; length += 1) {
    const unit = plain.slice(0, length);
    if (unit.repeat(Math.ceil(plain.length / length)).startsWith(plain)) return true;
  }
  return false;
}
