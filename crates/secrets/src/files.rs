//! Files whose names say that nobody else should read them, as one table.

/// How much a file's name says that it holds secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Look {
    /// Nothing.
    Plain,
    /// Its name speaks of secrets, and it may be code that deals with them: `secrets.rs`, `password_reset.py`.
    Perhaps,
    /// Programs keep secrets in files of this name: `.env`, `id_rsa`, `.npmrc`.
    Secret,
}

/// What of a path, in lower case, is compared.
enum PathName {
    /// The whole name.
    Is(&'static str),
    /// The end of the path, folders included.
    Path(&'static str),
    /// The begin of the name.
    Begins(&'static str),
    /// The end of the name.
    Ends(&'static str),
    /// The begin and the end of the name.
    Between(&'static str, &'static str),
}

use PathName::{Begins, Between, Ends, Is, Path};

/// Names of files with secrets.
const SECRET: &[PathName] = &[
    // Variables of an environment.
    Begins(".env"),
    Ends(".env"),
    Is(".envrc"),
    // Keys.
    Begins("id_rsa"),
    Begins("id_dsa"),
    Begins("id_ecdsa"),
    Begins("id_ed25519"),
    Ends(".pem"),
    Ends(".key"),
    Ends(".ppk"),
    Ends(".pkcs8"),
    Ends(".p8"),
    Ends(".asc"),
    Ends(".gpg"),
    Ends(".pgp"),
    Ends(".age"),
    Ends(".keytab"),
    // Stores of keys and passwords.
    Ends(".pfx"),
    Ends(".p12"),
    Ends(".jks"),
    Ends(".bks"),
    Ends(".keystore"),
    Ends(".truststore"),
    Ends(".kdb"),
    Ends(".kdbx"),
    Ends(".psafe3"),
    Ends(".agilekeychain"),
    Ends(".keychain"),
    // Of programs.
    Is(".netrc"),
    Is("_netrc"),
    Is(".npmrc"),
    Is(".yarnrc.yml"),
    Is(".pypirc"),
    Is(".pgpass"),
    Is("pgpass.conf"),
    Is(".my.cnf"),
    Is(".mylogin.cnf"),
    Is(".htpasswd"),
    Is("htpasswd"),
    Is(".dockercfg"),
    Path(".docker/config.json"),
    Is(".dockerconfigjson"),
    Is(".git-credentials"),
    Path("git/credentials"),
    Path(".gem/credentials"),
    Path(".cargo/credentials"),
    Path(".cargo/credentials.toml"),
    Path(".aws/credentials"),
    Path(".aws/config"),
    Path(".config/gh/hosts.yml"),
    Path(".m2/settings.xml"),
    Path(".m2/settings-security.xml"),
    Path(".kube/config"),
    Path(".ssh/config"),
    Is("kubeconfig"),
    Begins("kubeconfig."),
    Ends(".kubeconfig"),
    Is("credentials"),
    Is("credentials.json"),
    Begins("client_secret"),
    Between("service-account", ".json"),
    Between("service_account", ".json"),
    Between("serviceaccount", ".json"),
    Is("google-services.json"),
    Is("application_default_credentials.json"),
    Ends(".tfvars"),
    Ends(".tfvars.json"),
    Ends(".tfstate"),
    Ends(".tfstate.backup"),
    Is("terraform.rc"),
    Is(".terraformrc"),
    Is("credentials.tfrc.json"),
    Is(".vault-token"),
    Is(".vault_pass"),
    Is(".s3cfg"),
    Is(".boto"),
    Is(".boxen"),
    Is("rclone.conf"),
    Is(".rclone.conf"),
    Is("wp-config.php"),
    Is(".esmtprc"),
    Is(".msmtprc"),
    Is(".mutt_password"),
    Is("shadow"),
    Is("gshadow"),
    Is("master.key"),
    Is("local.settings.json"),
    Is("secrets.yml"),
    Is("secrets.yaml"),
    Is("secrets.json"),
    Is("secrets.toml"),
    Is("secrets.ini"),
];

/// Words in names of files with secrets, and of code about them.
const WORDS: &[&str] = &[
    "secret",
    "credential",
    "password",
    "passwd",
    "id_rsa",
    "id_ed25519",
];
/// Endings of data; whatever has a word of [`WORDS`] in its name and one of these, or none, is no code.
const DATA: &[&str] = &[
    "txt",
    "json",
    "yml",
    "yaml",
    "toml",
    "ini",
    "cfg",
    "conf",
    "properties",
    "xml",
    "csv",
    "plist",
    "enc",
    "bak",
    "old",
    "dat",
    "db",
    "kv",
    "asc",
];
/// Endings of files that show what such a file looks like.
const SHOWS: &[&str] = &[
    ".example",
    ".sample",
    ".template",
    ".dist",
    ".defaults",
    ".tmpl",
];

/// What a path says of its file, by its name and the folders around it; either slash separates them.
#[must_use]
pub fn look_of(path: &str) -> Look {
    let path = path.replace('\\', "/").to_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    let shown = SHOWS.iter().find_map(|ending| name.strip_suffix(ending));
    let whole = shown.map_or(path.as_str(), |_| {
        &path[..path.len() - (name.len() - shown.map_or(0, str::len))]
    });
    let is_secret = SECRET
        .iter()
        .any(|pattern| pattern.is_of(whole, shown.unwrap_or(name)));
    let has_word = WORDS.iter().any(|word| name.contains(word));
    let is_data = match name.rsplit_once('.') {
        Some((stem, ending)) => stem.is_empty() || DATA.contains(&ending),
        None => true,
    };
    match (is_secret, has_word) {
        (true, _) if shown.is_none() => Look::Secret,
        (false, true) if is_data && shown.is_none() => Look::Secret,
        (false, false) => Look::Plain,
        _ => Look::Perhaps,
    }
}

impl PathName {
    fn is_of(&self, path: &str, name: &str) -> bool {
        match self {
            Is(whole) => name == *whole,
            Path(end) => path
                .strip_suffix(end)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/')),
            Begins(begin) => name.starts_with(begin),
            Ends(end) => name.ends_with(end) && name.len() > end.len() || name == *end,
            Between(begin, end) => name.starts_with(begin) && name.ends_with(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_secrets_are_known_by_their_names() {
        for path in [
            ".env",
            "app/.env.local",
            "prod.env",
            ".npmrc",
            "home/.pgpass",
            "infra/terraform.tfvars",
            "x.auto.tfvars",
            "service-account.json",
            "service-account-prod.json",
            "kubeconfig",
            ".kube/config",
            "a/.htpasswd",
            "htpasswd",
            ".pypirc",
            ".dockercfg",
            "u/.docker/config.json",
            ".git-credentials",
            "credentials",
            ".aws/credentials",
            "k.jks",
            "k.p12",
            "k.pfx",
            "k.kdbx",
            "ID_RSA",
            "id_ed25519.old",
            "C:\\Users\\me\\.NETRC",
            "server.pem",
            "server.key",
            "my-secret.txt",
            "secret",
            "db_password.json",
            "key.asc",
        ] {
            assert_eq!(look_of(path), Look::Secret, "{path}");
        }
    }

    #[test]
    fn code_about_secrets_and_samples_are_perhaps_such_files() {
        for path in [
            "src/secrets.rs",
            "password_reset.py",
            "CredentialStore.cs",
            ".env.example",
            "terraform.tfvars.sample",
        ] {
            assert_eq!(look_of(path), Look::Perhaps, "{path}");
        }
    }

    #[test]
    fn other_files_are_plain() {
        for path in [
            "src/main.rs",
            "config.json",
            "docker/config.json",
            "environment.ts",
            "keyboard.ts",
            "monkey.py",
            "README.md",
            "tests/env.rs",
            "package.json",
            "a.keys.ts",
            "src/account.json",
            ".envoy/x",
            "",
        ] {
            assert_eq!(look_of(path), Look::Plain, "{path}");
        }
    }
}
