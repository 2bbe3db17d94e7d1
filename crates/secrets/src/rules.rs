//! What secrets look like, as data. A format is taken up when its issuer gave it marks by which it is told from
//! any other text: a prefix, an alphabet and a length.

use std::ops::RangeInclusive;

/// The characters that a token goes on with after its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// `0-9a-f`
    Hex,
    /// `A-Z0-9`
    Upper,
    /// `A-Za-z0-9`
    Alnum,
    /// `A-Za-z0-9_-`
    Word,
    /// `A-Za-z0-9_-.`
    Dotted,
    /// `A-Za-z0-9+/=_-`
    Base64,
    /// `0-9`
    Digits,
    /// `0-9a-f-`, as UUIDs are written
    Uuid,
    /// `A-Za-z0-9./$,=+-`, as `crypt` writes hashes of passwords
    Crypt,
}

impl Alphabet {
    pub(crate) fn has(self, byte: u8) -> bool {
        match self {
            Self::Hex => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
            Self::Upper => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => Self::Word.has(byte) || byte == b'.',
            Self::Base64 => Self::Word.has(byte) || matches!(byte, b'+' | b'/' | b'='),
            Self::Digits => byte.is_ascii_digit(),
            Self::Uuid => Self::Hex.has(byte) || byte == b'-',
            Self::Crypt => {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b'.' | b'/' | b'$' | b',' | b'=' | b'+' | b'-')
            }
        }
    }
}

/// Tokens of one issuer.
#[derive(Debug)]
pub(crate) struct Format {
    pub(crate) name: &'static str,
    pub(crate) prefixes: &'static [&'static str],
    pub(crate) alphabet: Alphabet,
    /// The least number of characters after the prefix.
    pub(crate) least: usize,
    /// Whether there may not be more.
    pub(crate) is_exact: bool,
}

const fn format(
    name: &'static str,
    prefixes: &'static [&'static str],
    alphabet: Alphabet,
    least: usize,
) -> Format {
    Format {
        name,
        prefixes,
        alphabet,
        least,
        is_exact: false,
    }
}

/// A format whose prefix is short, so that its length has to be right.
const fn exact(
    name: &'static str,
    prefixes: &'static [&'static str],
    alphabet: Alphabet,
    least: usize,
) -> Format {
    Format {
        is_exact: true,
        ..format(name, prefixes, alphabet, least)
    }
}

use Alphabet::{Alnum, Base64, Crypt, Digits, Dotted, Hex, Upper, Uuid, Word};

/// Every format; of two that begin at one place the longer match counts.
pub(crate) const FORMATS: &[Format] = &[
    format("age-key", &["AGE-SECRET-KEY-1"], Upper, 50),
    format("airtable-token", &["pat"], Dotted, 79),
    format("anthropic-key", &["sk-ant-"], Word, 20),
    format("atlassian-token", &["ATATT3", "ATCTT3"], Base64, 40),
    exact(
        "aws-access-key",
        &["AKIA", "ASIA", "ABIA", "ACCA"],
        Upper,
        16,
    ),
    format("databricks-token", &["dapi"], Hex, 32),
    format(
        "digitalocean-token",
        &["dop_v1_", "doo_v1_", "dor_v1_"],
        Hex,
        64,
    ),
    format("docker-token", &["dckr_pat_", "dckr_oat_"], Word, 20),
    format(
        "doppler-token",
        &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."],
        Dotted,
        40,
    ),
    format("figma-token", &["figd_"], Word, 20),
    format("fly-token", &["fo1_", "fm1_", "fm2_"], Base64, 30),
    format(
        "github-token",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        Alnum,
        36,
    ),
    format("github-token", &["github_pat_"], Word, 50),
    format("gitlab-token", GITLAB, Dotted, 20),
    format("google-key", &["AIza"], Word, 35),
    format("google-oauth", &["GOCSPX-", "ya29."], Word, 20),
    format("grafana-token", &["glsa_", "glc_"], Base64, 32),
    format("hashicorp-token", &["hvs.", "hvb.", "hvr."], Word, 24),
    format("huggingface-token", &["hf_"], Alnum, 34),
    format("linear-key", &["lin_api_", "lin_oauth_"], Alnum, 32),
    format("newrelic-key", &["NRAK-", "NRJS-"], Alnum, 19),
    format("notion-token", &["ntn_"], Alnum, 40),
    format("npm-token", &["npm_"], Alnum, 36),
    format(
        "openai-key",
        &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-"],
        Word,
        32,
    ),
    format(
        "planetscale-token",
        &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
        Dotted,
        32,
    ),
    format("postman-key", &["PMAK-"], Word, 59),
    format("pypi-token", &["pypi-AgE"], Word, 50),
    format("replicate-token", &["r8_"], Alnum, 37),
    format("rubygems-key", &["rubygems_"], Hex, 48),
    format("sendgrid-key", &["SG."], Dotted, 60),
    format("sentry-token", &["sntrys_", "sntryu_"], Base64, 40),
    format(
        "shopify-token",
        &["shpat_", "shpca_", "shppa_", "shpss_"],
        Alnum,
        32,
    ),
    format(
        "slack-token",
        &[
            "xoxb-", "xoxa-", "xoxp-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xapp-",
        ],
        Dotted,
        20,
    ),
    format("slack-webhook", &["hooks.slack.com/services/"], Base64, 30),
    format(
        "discord-webhook",
        &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        Base64,
        60,
    ),
    format("square-token", &["sq0atp-", "sq0csp-"], Word, 22),
    format(
        "stripe-key",
        &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
        Alnum,
        20,
    ),
    format("supabase-key", &["sbp_", "sb_secret_"], Word, 20),
    format("adafruit-key", &["aio_"], Alnum, 28),
    format("alibaba-key", &["LTAI"], Alnum, 16),
    format("buildkite-token", &["bkua_"], Hex, 40),
    format("circleci-token", &["CCIPAT_"], Word, 40),
    format("clojars-token", &["CLOJARS_"], Hex, 60),
    format("dynatrace-token", &["dt0c01.", "dt0s01."], Dotted, 60),
    format("easypost-key", &["EZAK", "EZTK"], Alnum, 54),
    format("flutterwave-key", &["FLWSECK_TEST-", "FLWSECK-"], Alnum, 12),
    format("frameio-token", &["fio-u-"], Base64, 60),
    format("groq-key", &["gsk_"], Alnum, 40),
    format("heroku-key", &["HRKU-AA"], Word, 30),
    format("infracost-key", &["ico-"], Alnum, 32),
    format("langsmith-key", &["lsv2_pt_", "lsv2_sk_"], Word, 32),
    exact("mailgun-key", &["key-"], Hex, 32),
    format("netlify-token", &["nfp_"], Alnum, 36),
    format("nvidia-key", &["nvapi-"], Word, 40),
    format("onepassword-token", &["ops_eyJ"], Base64, 60),
    format("openshift-token", &["sha256~"], Word, 43),
    format(
        "password-hash",
        &[
            "$2a$",
            "$2b$",
            "$2y$",
            "$1$",
            "$5$",
            "$6$",
            "$y$",
            "$apr1$",
            "$argon2i$",
            "$argon2id$",
            "$scrypt$",
        ],
        Crypt,
        24,
    ),
    format("perplexity-key", &["pplx-"], Alnum, 40),
    format("pinecone-key", &["pcsk_"], Word, 40),
    format("prefect-key", &["pnu_"], Alnum, 36),
    format("pulumi-token", &["pul-"], Hex, 40),
    format("readme-key", &["rdme_"], Alnum, 60),
    format("scalingo-token", &["tk-us-"], Word, 40),
    format("sendinblue-key", &["xkeysib-"], Base64, 64),
    format("shippo-token", &["shippo_live_", "shippo_test_"], Hex, 40),
    format("sourcegraph-token", &["sgp_"], Word, 40),
    exact("twilio-key", &["SK"], Hex, 32),
    format("typeform-token", &["tfp_"], Dotted, 40),
    format("xai-key", &["xai-"], Alnum, 70),
    format("yandex-key", &["AQVN"], Word, 35),
    format("jwt", &["eyJ"], Dotted, 40),
    // Hosts of code, packages and builds.
    format("gitlab-token", &["GR1348941"], Word, 20),
    format("bitbucket-token", &["ATBB"], Alnum, 28),
    format("trello-token", &["ATTA"], Hex, 60),
    exact("nuget-key", &["oy2"], Alnum, 43),
    exact("crates-token", &["cio"], Alnum, 32),
    exact("octopus-key", &["API-"], Upper, 26),
    exact("sonar-token", &["squ_", "sqp_", "sqa_"], Hex, 40),
    exact("deno-token", &["ddp_"], Alnum, 36),
    exact("artifactory-key", &["AKCp"], Alnum, 69),
    format("artifactory-token", &["cmVmdGtuOj"], Alnum, 54),
    format("sourcegraph-token", &["sgd_", "slk_"], Hex, 40),
    format(
        "tailscale-key",
        &["tskey-auth-", "tskey-api-", "tskey-client-"],
        Word,
        20,
    ),
    format("dbt-token", &["dbtc_", "dbtu_"], Base64, 32),
    format("harness-key", &["pat.", "sat."], Dotted, 68),
    format("newrelic-key", &["NRII-"], Word, 32),
    // Clouds.
    exact("aws-mws-key", &["amzn.mws."], Uuid, 36),
    format("aws-bedrock-key", &["ABSK"], Base64, 100),
    exact("tencent-key", &["AKID"], Alnum, 32),
    format(
        "vercel-token",
        &["vercel_blob_rw_", "vcp_", "vci_", "vca_", "vcr_", "vck_"],
        Word,
        24,
    ),
    format("render-key", &["rnd_"], Alnum, 24),
    format("neon-key", &["napi_"], Alnum, 48),
    format("cloudflare-ca-key", &["v1.0-"], Uuid, 120),
    format("contentful-token", &["CFPAT-"], Word, 40),
    format("defined-key", &["dnkey-"], Word, 60),
    format("doppler-token", &["dp.audit.", "dp.scim."], Dotted, 40),
    format("infisical-token", &["st."], Dotted, 60),
    format(
        "settlemint-token",
        &["sm_aat_", "sm_pat_", "sm_sat_"],
        Alnum,
        16,
    ),
    format("google-refresh-token", &["1//0"], Word, 40),
    exact("launchdarkly-key", &["sdk-", "api-", "mob-"], Uuid, 36),
    // Mail, messages and calls.
    exact(
        "hubspot-token",
        &["pat-na1-", "pat-na2-", "pat-eu1-", "pat-ap1-"],
        Uuid,
        36,
    ),
    format("resend-key", &["re_"], Word, 33),
    exact("mandrill-key", &["md-"], Word, 22),
    exact("mailersend-key", &["mlsn."], Hex, 64),
    format("brevo-key", &["xsmtpsib-"], Word, 64),
    format("slack-token", &["xoxd-"], Base64, 40),
    format(
        "slack-webhook",
        &["hooks.slack.com/workflows/", "hooks.slack.com/triggers/"],
        Base64,
        30,
    ),
    exact("adobe-secret", &["p8e-"], Alnum, 32),
    exact("intra42-secret", &["s-s4t2ud-", "s-s4t2af-"], Hex, 64),
    format("facebook-token", &["EAAM", "EAAC", "EAAG"], Alnum, 90),
    format("dropbox-token", &["sl.u.", "sl."], Word, 120),
    format(
        "zapier-webhook",
        &["hooks.zapier.com/hooks/catch/"],
        Base64,
        10,
    ),
    // Payments.
    exact(
        "plaid-token",
        &[
            "access-sandbox-",
            "access-development-",
            "access-production-",
        ],
        Uuid,
        36,
    ),
    format("square-token", &["EAAA"], Word, 60),
    format(
        "paypal-token",
        &["access_token$production$", "access_token$sandbox$"],
        Crypt,
        40,
    ),
    format("duffel-token", &["duffel_test_", "duffel_live_"], Word, 40),
    format("lob-key", &["live_", "test_"], Hex, 35),
    // Models.
    format("openrouter-key", &["sk-or-v1-"], Hex, 60),
    format(
        "tavily-key",
        &["tvly-dev-", "tvly-prod-", "tvly-"],
        Word,
        20,
    ),
    format("e2b-key", &["e2b_"], Hex, 40),
    exact("firecrawl-key", &["fc-"], Hex, 32),
    exact("elevenlabs-key", &["sk_"], Hex, 48),
    format("jina-key", &["jina_"], Word, 50),
    format("voyage-key", &["pa-"], Word, 43),
    format("together-key", &["tgp_v1_"], Word, 32),
    format("cerebras-key", &["csk-"], Alnum, 40),
    exact("fireworks-key", &["fw_"], Alnum, 24),
    format("runpod-key", &["rpa_"], Alnum, 40),
    format("wandb-key", &["wandb_v1_"], Word, 40),
    exact("huggingface-token", &["api_org_"], Alnum, 34),
    format("posthog-key", &["phx_"], Alnum, 40),
    format("apify-token", &["apify_api_"], Alnum, 32),
];

/// Tokens with a mark in their midst.
#[derive(Debug)]
pub(crate) struct Infix {
    pub(crate) name: &'static str,
    pub(crate) mark: &'static str,
    pub(crate) head: Alphabet,
    pub(crate) before: RangeInclusive<usize>,
    pub(crate) tail: Alphabet,
    pub(crate) after: RangeInclusive<usize>,
}

/// All of them.
pub(crate) const INFIXES: &[Infix] = &[
    Infix {
        name: "telegram-token",
        mark: ":AA",
        head: Digits,
        before: 8..=10,
        tail: Word,
        after: 32..=36,
    },
    Infix {
        name: "azure-secret",
        mark: "8Q~",
        head: Alnum,
        before: 3..=3,
        tail: Crypt,
        after: 31..=40,
    },
    Infix {
        name: "terraform-token",
        mark: ".atlasv1.",
        head: Alnum,
        before: 14..=14,
        tail: Word,
        after: 60..=80,
    },
];

/// Tokens of parts with points between them: the lengths of the parts.
pub(crate) const PARTED: &[(&str, &[RangeInclusive<usize>])] =
    &[("discord-token", &[23..=28, 6..=7, 27..=45])];

const GITLAB: &[&str] = &[
    "glpat-", "gloas-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-",
    "glsoat-", "glffct-",
];

/// Names that a secret is assigned to end so, in lower case without `_` and `-`; and the rule that the value goes by.
pub(crate) const ASSIGNED: &[(&str, &str)] = &[
    ("password", "password"),
    ("passwd", "password"),
    ("passphrase", "password"),
    ("passcode", "password"),
    ("secretkey", "secret"),
    ("clientsecret", "secret"),
    ("secret", "secret"),
    ("authtoken", "token"),
    ("accesstoken", "token"),
    ("refreshtoken", "token"),
    ("token", "token"),
    ("apikey", "api-key"),
    ("accesskey", "api-key"),
    ("accountkey", "api-key"),
    ("encryptionkey", "api-key"),
    ("licensekey", "api-key"),
    ("masterkey", "api-key"),
    ("privatekey", "api-key"),
    ("sharedkey", "api-key"),
    ("signingkey", "api-key"),
    ("sshkey", "api-key"),
    ("subscriptionkey", "api-key"),
    ("credential", "secret"),
    ("credentials", "secret"),
    ("sshpass", "password"),
    ("rediscliauth", "password"),
    ("sessionid", "session"),
    ("sessid", "session"),
];

/// Words that are too short for that: the last word of the name has to be one.
pub(crate) const ASSIGNED_WORDS: &[(&str, &str)] = &[
    ("pwd", "password"),
    ("pass", "password"),
    ("pw", "password"),
    ("pword", "password"),
    ("psw", "password"),
];

/// Words before `key` with which it is one, where the two are written apart.
pub(crate) const KINDS_OF_KEYS: &[&str] = &[
    "api",
    "access",
    "account",
    "encryption",
    "license",
    "master",
    "private",
    "secret",
    "shared",
    "signing",
    "ssh",
    "subscription",
];

/// Words that stand where a password would, and are none.
pub(crate) const PLACEHOLDERS: &[&str] = &[
    "basic",
    "bearer",
    "changeme",
    "default",
    "disabled",
    "empty",
    "enabled",
    "example",
    "false",
    "hashed",
    "hidden",
    "invalid",
    "masked",
    "missing",
    "none",
    "null",
    "object",
    "optional",
    "password",
    "plain",
    "plaintext",
    "redacted",
    "required",
    "secret",
    "string",
    "text",
    "token",
    "true",
    "undefined",
    "unknown",
    "username",
    "value",
    "wrong",
    "any",
    "boolean",
    "bytes",
    "prompt",
    "stdin",
    "str",
];

/// Words that texts are made of which stand for a secret: `your-password-here`, `my_api_key`, `<insert token>`.
pub(crate) const STAND_INS: &[&str] = &[
    "a",
    "actual",
    "add",
    "api",
    "apikey",
    "auth",
    "client",
    "change",
    "changeme",
    "database",
    "db",
    "dummy",
    "enter",
    "example",
    "fake",
    "fill",
    "goes",
    "here",
    "insert",
    "in",
    "it",
    "key",
    "me",
    "my",
    "of",
    "or",
    "pass",
    "passphrase",
    "passwd",
    "password",
    "paste",
    "placeholder",
    "put",
    "pw",
    "pwd",
    "real",
    "replace",
    "sample",
    "secret",
    "some",
    "string",
    "super",
    "the",
    "this",
    "to",
    "todo",
    "token",
    "user",
    "username",
    "value",
    "with",
    "xxx",
    "xxxx",
    "xxxxx",
    "your",
    "yours",
];

/// Words that say in which system somebody has a password, where the name alone is too short to tell (`DB_PASS`).
pub(crate) const SYSTEMS: &[&str] = &[
    "account",
    "admin",
    "amqp",
    "auth",
    "basic",
    "broker",
    "client",
    "database",
    "db",
    "elastic",
    "email",
    "ftp",
    "http",
    "imap",
    "jdbc",
    "kafka",
    "ldap",
    "login",
    "mail",
    "mariadb",
    "mongo",
    "mongodb",
    "mqtt",
    "mssql",
    "mysql",
    "neo4j",
    "oracle",
    "pg",
    "pop3",
    "postgres",
    "postgresql",
    "proxy",
    "rabbit",
    "rabbitmq",
    "redis",
    "registry",
    "root",
    "sftp",
    "smb",
    "smtp",
    "sql",
    "ssh",
    "sudo",
    "svn",
    "user",
    "vnc",
    "vpn",
    "wifi",
];

/// Names that accounts have by habit.
pub(crate) const ACCOUNTS: &[&str] = &[
    "admin",
    "administrator",
    "demo",
    "guest",
    "oracle",
    "postgres",
    "root",
    "sa",
    "scott",
    "superuser",
    "sys",
    "system",
    "test",
    "tester",
    "user",
];

/// Words of a sentence about passwords, as labels and messages have them; words that are a password are none of these.
pub(crate) const MESSAGES: &[&str] = &[
    "a",
    "an",
    "and",
    "are",
    "at",
    "be",
    "cannot",
    "change",
    "characters",
    "confirm",
    "current",
    "enter",
    "field",
    "for",
    "forgot",
    "forgotten",
    "from",
    "has",
    "in",
    "incorrect",
    "invalid",
    "is",
    "key",
    "match",
    "missing",
    "must",
    "new",
    "no",
    "not",
    "of",
    "old",
    "optional",
    "or",
    "passphrase",
    "password",
    "passwords",
    "please",
    "required",
    "reset",
    "secret",
    "should",
    "that",
    "the",
    "this",
    "to",
    "token",
    "was",
    "with",
    "wrong",
    "you",
    "your",
];

/// What values in prose begin with that name how something is written or kept.
pub(crate) const TECHNIQUES: &[&str] = &[
    "aes", "argon2", "base", "bcrypt", "ed25519", "es256", "es384", "hs256", "hs512", "http",
    "md5", "oauth", "pbkdf", "pkcs", "ntlm", "kerberos", "rfc", "rs256", "rsa", "scrypt", "sha",
    "tls", "utf", "x509",
];
