//! Every kind of secret by an example, what stays as it is, and how a token may be cut. All values are made up.

use std::collections::BTreeMap;

use codecortex_secrets::{Redactor, find};
use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};
use proptest::sample::select;

const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const HEX: &str = "0123456789abcdef";

fn redact(text: &str) -> String {
    Redactor::default()
        .redact(text, &mut BTreeMap::new())
        .into_owned()
}

/// Letters as a token has them; the same for the same seed.
fn noise(seed: u64, len: usize, alphabet: &str) -> String {
    let letters: Vec<char> = alphabet.chars().collect();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x51ed_270b;
    let next = |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        letters[(state >> 33) as usize % letters.len()]
    };
    (0..len).map(next).collect()
}

/// Each kind: what it is, a text, and the part of it that has to go.
fn kinds(seed: u64) -> Vec<(&'static str, String, String)> {
    let of = |what: &'static str, text: &str, secret: &str| {
        (what, text.replace('§', secret), secret.to_owned())
    };
    let base64 = format!("{LETTERS}+/");
    let mixed = format!("{}7aQ", noise(seed, 9, LETTERS));
    let bare = |len: usize, alphabet: &str| format!("{}4k", noise(seed + 1, len - 2, alphabet));
    let pair = data_encoding_of(&format!("robot:{mixed}"));
    let discord = format!(
        "{}.{}.{}",
        bare(26, LETTERS),
        bare(6, LETTERS),
        bare(38, LETTERS)
    );
    vec![
        of("AWS secret key", "it is § there", &bare(40, &base64)),
        of("base64 of 64", "blob § end", &bare(64, &base64)),
        of("hex of 40", "value § end", &noise(seed, 40, HEX)),
        of("hex of 64", "value § end", &noise(seed, 64, HEX)),
        of("hex of 32", "dd=§ end", &noise(seed, 32, HEX)),
        of(
            "letters and digits of 24",
            "we use § for that",
            &bare(24, LETTERS),
        ),
        of(
            "small letters and digits of 24",
            "we use § for that",
            &bare(24, "abcdefghijklmnopqrstuvwxyz0123456789"),
        ),
        of(
            "password of words",
            "password: \"§\"",
            "correct horse battery staple",
        ),
        of("password of one word", "db.password = '§'", "swordfish"),
        of(
            "password in JSON",
            "{\"password\": \"§\"}",
            "Tr0ub4dor and 3",
        ),
        of(
            "password in escaped JSON",
            "{\\\"password\\\": \\\"§\\\"}",
            "Tr0ub4dor and 3",
        ),
        of("pwd", "Server=db;Uid=me;Pwd=§;", "abc123x"),
        of("element", "<password>§</password>", "letmein"),
        of(
            "element with attributes",
            "<ns:dbPassword kind=\"a\">§</ns:dbPassword>",
            "let me in 7",
        ),
        of("CDATA", "<password><![CDATA[§]]></password>", "let<me in 7"),
        of("sentence", "the password is §.", &mixed),
        of(
            "sentence with more",
            "The admin password for staging was changed to §, remember",
            &mixed,
        ),
        of("sentence in code", "password is `§`", "swordfish"),
        of("API key in two words", "API key: §", &mixed),
        of("user / password", "login: admin / §", "Winter2031!"),
        of(
            "user:password",
            "credentials are admin:§ on staging",
            "Winter2031!",
        ),
        of("mysql -p", "mysql -u root -p§ shop", "hunter2"),
        of(
            "mysqldump -p",
            "$ /usr/bin/mysqldump -p'§' shop > x",
            "two words",
        ),
        of(
            "curl -u",
            "curl -s -u robot:§ https://example.com",
            "swordfish",
        ),
        of(
            "curl --user",
            "curl --user=\"robot:§\" https://example.com",
            "swordfish",
        ),
        of("sshpass -p", "sshpass -p § ssh me@host", "swordfish"),
        of("redis-cli -a", "redis-cli -h db -a § ping", "swordfish"),
        of(
            "docker login -p",
            "docker login -u robot -p § example.com",
            "swordfish",
        ),
        of(
            "smbclient -U",
            "smbclient //host/share -U me%§",
            "swordfish",
        ),
        of(
            "openssl -passin",
            "openssl rsa -passin pass:§ -in k",
            "swordfish",
        ),
        of(
            "keytool -storepass",
            "keytool -list -storepass § -v",
            "changeit",
        ),
        of(
            "netrc",
            "machine example.com login me password §",
            "swordfish",
        ),
        of(
            "netrc over lines",
            "machine example.com\n  login me\n  password §\n",
            "swordfish",
        ),
        of("pgpass", "db.example.com:5432:shop:me:§", "swordfish"),
        of("htpasswd", "me:§", &format!("$2y$10${}", bare(53, LETTERS))),
        of("Docker auth", "\"auth\": \"§\"", &pair),
        of("npm _auth", "//registry.example.com/:_auth=§", &pair),
        of(
            "Twilio",
            "twilio § end",
            &format!("SK{}", noise(seed, 32, HEX)),
        ),
        of("Discord", "bot §", &discord),
        of(
            "Telegram",
            "bot §",
            &format!("123456789:AA{}", noise(seed, 33, LETTERS)),
        ),
        of(
            "GitHub",
            "use § now",
            &format!("ghp_{}7", noise(seed, 35, LETTERS)),
        ),
        of(
            "Kubernetes variable",
            "- name: DB_PASSWORD\n  value: \"§\"",
            &mixed,
        ),
        of(
            "key and value",
            "<add key=\"DbPassword\" value=\"§\"/>",
            &mixed,
        ),
        of(
            "typed constant",
            "const PASSWORD: &str = \"§\";",
            "correct horse battery staple",
        ),
        of("indexed", "config[\"password\"] = \"§\"", &mixed),
        of(
            "percent encoding",
            "https://x.example/?password=§",
            "abc%31%32%33x",
        ),
        of("variable of one word", "DB_PASSWORD=§ ./run", "swordfish"),
        of("variable with quotes", "export MYSQL_PWD='§'", "swordfish"),
        of("PGPASSWORD", "PGPASSWORD=§ psql -h db", "swordfish"),
        of("SSHPASS", "SSHPASS=§ sshpass -e ssh host", "swordfish"),
        of("variable in YAML", "  POSTGRES_PASSWORD: §", "petclinic"),
        of(
            "docker -e",
            "docker run -e MYSQL_ROOT_PASSWORD=§ -p 3306:3306 mysql:9",
            "swordfish",
        ),
        of(
            "option of one word",
            "restore --from x --password § --force",
            "swordfish",
        ),
        of("option at the end", "restore --password §", "swordfish"),
        of(
            "option with =",
            "wget --user=me --http-password=§ http://x",
            "swordfish",
        ),
        of(
            "option in a list",
            "CMD [\"run\", \"--password\", \"§\"]",
            "swordfish",
        ),
        of(
            "connection string",
            "Server=db;User Id=sa;Password=§;",
            "swordfish",
        ),
        of(
            "connection string of libpq",
            "psql \"host=db user=me password=§\"",
            "swordfish",
        ),
        of("Oracle", "jdbc:oracle:thin:scott/§@db:1521:x", "leopard"),
        of(
            "CREATE USER",
            "CREATE USER me IDENTIFIED BY '§';",
            "swordfish",
        ),
        of("ALTER ROLE", "alter role me with password '§'", "swordfish"),
        of(
            "SET PASSWORD",
            "SET PASSWORD FOR me = PASSWORD('§');",
            "swordfish",
        ),
        of(
            "echo to docker",
            "echo § | docker login -u me --password-stdin",
            "swordfish",
        ),
        of("echo to sudo", "echo \"§\" | sudo -S ls", "swordfish"),
        of("chpasswd", "echo 'root:§' | chpasswd", "swordfish"),
        of(
            "chpasswd of a string",
            "chpasswd <<< \"root:§\"",
            "swordfish",
        ),
        of("htpasswd -b", "htpasswd -cb .htpasswd me §", "swordfish"),
        of("net user", "net user me § /add", "swordfish"),
        of(
            "openssl -k",
            "openssl enc -aes-256-cbc -k § -in x",
            "swordfish",
        ),
        of(
            "named element",
            "<entry key=\"db.password\">§</entry>",
            "hunter2x",
        ),
        of("bold in Markdown", "- **Password:** §", &mixed),
        of("table", "| password | § |", &mixed),
        of("arrow", "password → §", &mixed),
        of("sentence with a colon", "password for the db: §", &mixed),
        of(
            "with the password",
            "log in with the password § please",
            &mixed,
        ),
        of("user and password", "user admin password §", &mixed),
        of("as the password", "use § as the password", &mixed),
        of(
            "sign in the midst",
            "the root password on db1 is §",
            "Tr0ub4dor&3,x",
        ),
        of("account / password", "log in: login admin/§", "hunter2x"),
        of(
            "password of an account",
            "ssh admin:§@db.example.com",
            "hunter2x",
        ),
        of("Basic of letters", "Authorization: Basic §", "dXNlcjpwYXNz"),
        of(
            "another scheme",
            "Authorization: token §",
            &format!("{mixed}abcdef"),
        ),
        of(
            "cookie",
            "Cookie: lang=en; sid=§",
            &format!("{mixed}abcdef77"),
        ),
        of(
            "Telegram address",
            "https://api.telegram.org/bot§/getMe",
            &format!("123456789:AA{}", noise(seed, 33, LETTERS)),
        ),
        of(
            "Hugging Face",
            "hf § end",
            &format!("hf_{}", noise(seed, 34, &LETTERS[..52])),
        ),
        of("HubSpot", "key § end", &format!("pat-na1-{}", uuid(seed))),
        of(
            "Resend",
            "key § end",
            &format!("re_{}_{}", noise(seed, 8, LETTERS), bare(24, LETTERS)),
        ),
        of("base64 key in YAML", "session_key: §=", &bare(43, &base64)),
    ]
}

fn uuid(seed: u64) -> String {
    let of = |at: u64, len| noise(seed * 5 + at, len, HEX);
    format!(
        "{}-{}-{}-{}-{}",
        of(0, 8),
        of(1, 4),
        of(2, 4),
        of(3, 4),
        of(4, 12)
    )
}

fn data_encoding_of(text: &str) -> String {
    data_encoding::BASE64.encode(text.as_bytes())
}

#[test]
fn every_kind_goes() {
    let mut through = Vec::new();
    for seed in 0..40 {
        for (what, text, secret) in kinds(seed) {
            let clean = redact(&text);
            if clean.contains(&secret) || clean == text {
                through.push(format!("{what}: {text}"));
            }
        }
    }
    // Chance may look like words; of 40 of a kind hardly one does.
    let rare = |what: &str| {
        through
            .iter()
            .filter(|found| found.starts_with(what))
            .count()
            <= 1
    };
    assert!(
        kinds(0).iter().all(|(what, ..)| rare(&format!("{what}: "))),
        "{through:#?}"
    );
}

#[test]
fn what_is_no_secret_stays() {
    let hex40 = noise(3, 40, HEX);
    let hex64 = noise(4, 64, HEX);
    let hex128 = noise(5, 128, HEX);
    let base64 = noise(6, 86, &format!("{LETTERS}+/"));
    for text in [
        format!("commit {hex40}"),
        format!("Fixes {hex40} no, it reverts commit {hex40}."),
        format!("commits {hex40}, {} and {}", noise(7, 40, HEX), noise(8, 40, HEX)),
        format!("the sha1 of it is {hex40}"),
        format!("tree {hex40}\nparent {hex40}"),
        format!("https://github.com/a/b/commit/{hex40}"),
        format!("https://github.com/a/b/blob/{hex40}/src/lib.rs#L12"),
        format!("- uses: actions/checkout@{hex40} # v4"),
        format!("git+https://github.com/a/b.git#{hex40}"),
        format!("image: example/app@sha256:{hex64}"),
        format!("checksum = \"{hex64}\""),
        format!("    --hash=sha256:{hex64} \\\n    --hash=sha256:{}", noise(9, 64, HEX)),
        format!("{hex64}  dist/app.tar.gz\n{}  dist/b.zip", noise(9, 64, HEX)),
        format!("\"integrity\": \"sha512-{base64}==\""),
        "integrity sha512-dOy+3AuW3a2wNbZHIuMZpTcgjGuLU/uBL/ubcZF9OXbDo8ff4O8yVp5Bf0efS8uEoYo5q4Fx7dY9OgQGXgAsQA==".to_owned(),
        format!("integrity sha384-{}", noise(3, 64, LETTERS)),
        format!("  checksum: 10/{hex128}"),
        format!("github.com/a/b v1.2.3 h1:{}=", noise(3, 43, LETTERS)),
        format!("SHA256:{} me@host (ED25519)", noise(3, 43, LETTERS)),
        format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{} me@host", noise(3, 43, LETTERS)),
        format!("-----BEGIN CERTIFICATE-----\n{}\n{}\n-----END CERTIFICATE-----", noise(1, 64, LETTERS), noise(2, 64, LETTERS)),
        format!("url(data:image/png;base64,{})", noise(1, 200, LETTERS)),
        format!("const ICON = \"iVBORw0KGgo{}\"", noise(1, 200, LETTERS)),
        "type ids T_n48xr7pa and T_0a1b2c3d, group G_x7k2m4p9, O_8k2l1m3n".to_owned(),
        "version v_03zm8cgm4x1k of the text".to_owned(),
        "the hash 03zm8cgm4x1kqwertyah7d8s90 of 26 letters".to_owned(),
        "id 550e8400-e29b-41d4-a716-446655440000".to_owned(),
        "ulid 01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned(),
        "alphabet abcdefghijklmnopqrstuvwxyz0123456789".to_owned(),
        "let state = 0x9e37_79b9_7f4a_7c15_u64;".to_owned(),
        "crates/engine/src/tools/getContext2/mod.rs and src/main/java/com/Example/Very/Long/Path/Class1Name2Test3.java".to_owned(),
        "what_is_taken_up_again_after_2_restarts and someVeryLongIdentifierThatGoesOnForEver2".to_owned(),
        "the password is hashed with sha256 and the token is base64-encoded, a 256-bit one".to_owned(),
        "password: \"Enter your password\"".to_owned(),
        "{\"password\": \"string\", \"passwordLabel\": \"Password\", \"password\": \"Passwort\"}".to_owned(),
        "fn login(user: &str, password: &str) -> Result<Token, Error> {".to_owned(),
        "password = config.database.password".to_owned(),
        "secret=${SECRET} pwd=$(pwd) PWD=/there/x2 pass: 12".to_owned(),
        "the tests pass: 118 of 118, the user / role table".to_owned(),
        "curl -u \"$USER:$PASS\" https://example.com && mysql -p shop".to_owned(),
        "mysql -u root -p < dump.sql".to_owned(),
        "src/main.rs:1042:12:error:mismatched".to_owned(),
        "machine learning with a default login and a password policy".to_owned(),
        "if text.contains(\"-----BEGIN PRIVATE KEY-----\") { return Err(\"it holds a key\"); }".to_owned(),
        "interface Tag<Token extends Key, Kind> = Container<Token>".to_owned(),
        "<password/> and <input type=\"password\" name=\"password\">".to_owned(),
        "检索 observations 的预算, 100% sure, C:\\new\\tools".to_owned(),
    ] {
        assert_eq!(redact(&text), text);
    }
}

#[test]
fn what_stands_for_a_secret_stays() {
    for text in [
        "<password>your-password-here</password>, <password>changeme</password> and <Password required>Enter</Password>",
        "Write <password>…</password> into the file.",
        "password: \"your-password-here\", apiKey: 'YOUR_API_KEY', token = \"insert_your_token_here1\"",
        "export API_KEY=your-api-key-here; DB_PASSWORD=changeme; POSTGRES_PASSWORD=password",
        "curl -u username:password https://example.com && mysql -u root -pPASSWORD shop",
        "postgresql://USER:PASSWORD@HOST:5432/NAME and redis://:your-password@host",
        "Use --password to set the password; with --password interactively.",
        "  -p, --password string      Password of the registry",
        "--password PASSWORD  what is asked",
        "parser.add_argument(\"--password\", help=\"the password\")",
        "RENDER_PASS=shadow PASSWORD_RESET_TIMEOUT=86400 POSTGRES_PASSWORD_FILE=/run/secrets/db",
        "connect(host=h, user=u, password=word)",
        "CREATE USER me WITH PASSWORD :password; ALTER USER me IDENTIFIED BY '${PASSWORD}'",
        "Read the block identified by \"handle\" from the file; a row is identified by userId2.",
        "docker run -p 127.0.0.1:8080:80 nginx && docker run -p 3306:3306 mysql",
        "echo hello | sudo tee /etc/x; cat file | docker login --password-stdin",
        "echo \"$PASS\" | docker login --password-stdin",
        "{\"password\": \"Mot de passe oublié\", \"passwordNew\": \"Nueva contraseña\"}",
        "<string name=\"password\">mot de passe</string><a name=\"password\">the password settings</a>",
        "| password | string | at least 8chars | and | password | 12chars |",
        "password - 8chars at least, password -> hash, **Password:** at least 8 characters",
        "log in with the password v1.2.3 that you were given; use bcrypt2 as the password hash",
        "GET /users/login/abc123x and login: docs/admin/hunter2.md",
        "const password = req.body.password1; url.password = this.#internals.password;",
        "Cookie: theme=dark; lang=en-GB,en;q=0.9",
        "Authorization: token <token>, Authorization: Basic <base64>",
        "hf_hub_download_with_a_long_name_here_yes and re_compiled_pattern_of_some_thing_long",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn keys_and_passwords_beside_digests_go_all_the_same() {
    let hex = noise(3, 40, HEX);
    for text in [
        format!("commit the key {hex}"),
        format!("git push https://x:{hex}@example.com"),
        format!("sha of the token {hex}"),
    ] {
        assert!(!redact(&text).contains(&hex), "{text}");
    }
}

#[test]
fn findings_are_in_order_and_apart() {
    let text = format!(
        "a ghp_{} b password=hunter2hunter2 c",
        noise(1, 36, LETTERS)
    );
    let found = find(&text);
    let rules: Vec<&str> = found.iter().map(|(_, rule)| *rule).collect();
    assert_eq!(rules, ["github-token", "password"]);
    assert!(found.windows(2).all(|two| two[0].0.end <= two[1].0.start));
}

/// Tokens that are known by themselves, whatever is around them.
fn tokens() -> impl Strategy<Value = String> {
    (0u64..10_000, 0usize..8).prop_map(|(seed, kind)| match kind {
        0 => format!("ghp_{}7b", noise(seed, 34, LETTERS)),
        1 => format!("glpat-{}7b", noise(seed, 20, LETTERS)),
        2 => format!("AKIA{}", noise(seed, 16, "ABCDEFGHIJKLMNOP234567")),
        3 => format!("sk-ant-{}7b", noise(seed, 60, LETTERS)),
        4 => noise(seed, 40, HEX),
        5 => noise(seed, 64, HEX),
        6 => format!("SK{}", noise(seed, 32, HEX)),
        _ => format!(
            "xoxb-{}-{}7b",
            noise(seed, 12, "0123456789"),
            noise(seed, 24, LETTERS)
        ),
    })
}

/// The longest part of a token that is left in a text.
fn left(token: &str, text: &str) -> usize {
    let most = token.len();
    let has = |length: usize| (0..=most - length).any(|at| text.contains(&token[at..at + length]));
    (0..=most).rev().find(|&length| has(length)).unwrap_or(0)
}

proptest! {
    /// A cut does not let a token through: no half of it is left.
    #[test]
    fn cut_tokens_go(
        token in tokens(),
        share in 0.1f64..0.9,
        cut in select(vec!["\n", "\r\n", "\n    ", "\\\n", "\u{200b}", "\u{2060}", "\u{ad}", "\"\"", "''", "\" + \"", "\"\n    \"", "\\n"]),
    ) {
        let at = (token.len() as f64 * share) as usize;
        let text = format!("see \"{}{cut}{}\" there", &token[..at], &token[at..]);
        let clean = redact(&text);
        prop_assert!(clean.contains("[secret:") && left(&token, &clean) * 2 < token.len(), "{text:?}: {clean:?}");
        prop_assert!(clean.starts_with("see \"") && clean.ends_with("\" there"), "{clean:?}");
    }

    /// Escapes of single characters do not either.
    #[test]
    fn encoded_tokens_go(token in tokens(), every in 1usize..9, how in 0usize..5) {
        let letter = |(at, letter): (usize, char)| match (at % every, how, u32::from(letter)) {
            (0, 0, code) => format!("%{code:02X}"),
            (0, 1, code) => format!("%25{code:02x}"),
            (0, 2, code) => format!("\\u{code:04x}"),
            (0, 3, code) => format!("&#{code};"),
            (0, 4, code) => format!("\\x{code:02x}"),
            _ => letter.to_string(),
        };
        let encoded: String = token.chars().enumerate().map(letter).collect();
        let clean = redact(&format!("see {encoded} there"));
        prop_assert!(clean.starts_with("see [secret:") && clean.ends_with(" there"), "{encoded}: {clean}");
    }

    /// Text of words comes through byte by byte.
    #[test]
    fn words_stay(words in proptest::collection::vec(
        select(vec!["fn", "getElement2", "is", "the", "key", "of", "(x: u32)", "\"text\"", "\n", "  ", "检索", "a/b/c.rs", "=", "{", "}",
            "-p", "user", "https://example.com/a?b=c", "%", "\\", "\u{200b}", "42", "::", "-> Token", "T_n48xr7pa"]),
        0..40,
    )) {
        let text = words.join(" ");
        prop_assert_eq!(redact(&text), text);
    }

    /// Any text comes through.
    #[test]
    fn any_text_is_looked_at(text in "\\PC{0,200}") {
        let once = redact(&text);
        prop_assert_eq!(redact(&once), once);
    }
}
