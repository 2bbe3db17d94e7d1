//! What secrets look like, as data. A format is taken up when its issuer gave it marks by which it is told from
//! any other text: a prefix, an alphabet and a length.

/// The characters that a token goes on with after its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alphabet {
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
}

impl Alphabet {
    pub(super) fn has(self, byte: u8) -> bool {
        match self {
            Self::Hex => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
            Self::Upper => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => Self::Word.has(byte) || byte == b'.',
            Self::Base64 => Self::Word.has(byte) || matches!(byte, b'+' | b'/' | b'='),
        }
    }
}

/// Tokens of one issuer.
#[derive(Debug)]
pub(super) struct Format {
    pub(super) name: &'static str,
    pub(super) prefixes: &'static [&'static str],
    pub(super) alphabet: Alphabet,
    /// The least number of characters after the prefix.
    pub(super) least: usize,
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
    }
}

use Alphabet::{Alnum, Base64, Dotted, Hex, Upper, Word};

/// Every format; of two that begin at one place the longer match counts.
pub(super) const FORMATS: &[Format] = &[
    format("age-key", &["AGE-SECRET-KEY-1"], Upper, 50),
    format("airtable-token", &["pat"], Dotted, 79),
    format("anthropic-key", &["sk-ant-"], Word, 20),
    format("atlassian-token", &["ATATT3", "ATCTT3"], Base64, 40),
    format(
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
    format("jwt", &["eyJ"], Dotted, 40),
];

const GITLAB: &[&str] = &[
    "glpat-", "gloas-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-",
    "glsoat-", "glffct-",
];

/// Names that a secret is assigned to, in lower case without `_` and `-`.
pub(super) const ASSIGNED: &[(&str, &str)] = &[
    ("password", "password"),
    ("passwd", "password"),
    ("passphrase", "password"),
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
    ("privatekey", "api-key"),
    ("credential", "secret"),
    ("credentials", "secret"),
];
