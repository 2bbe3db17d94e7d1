//! Passwords by their name in other languages: `Passwort: …`, `пароль от базы: …`, `密码是…`.
//!
//! Names in code are English; notes and comments are in whatever their author speaks. Words of other scripts are no names
//! of code, so they are looked for in the text as it stands, in any case.

use std::ops::Range;

use crate::Found;
use crate::scan::{after_blanks, value_at};
use crate::values::{is_assigned, is_said};

/// What a password is called.
const NAMES: &[&str] = &[
    "adgangskode",
    "contrasena",
    "contraseña",
    "hasło",
    "heslo",
    "jelszó",
    "kata sandi",
    "kennwort",
    "lozinka",
    "lösenord",
    "mot de passe",
    "mật khẩu",
    "palavra-passe",
    "parola",
    "parolă",
    "passord",
    "passwort",
    "salasana",
    "senha",
    "slaptažodis",
    "wachtwoord",
    "şifre",
    "κωδικός",
    "пароль",
    "лозинка",
    "סיסמה",
    "كلمة المرور",
    "كلمة السر",
    "पासवर्ड",
    "รหัสผ่าน",
    "パスワード",
    "口令",
    "密码",
    "密碼",
    "비밀번호",
    "암호",
];

/// What stands between the name and the password in a sentence.
const VERBS: &[&str] = &[
    " ist ", " lautet ", " es ", " est ", " é ", " è ", " is ", " jest ", " je ", " är ", " er ",
    " on ", " это ", " — ", "是", "为", "為", "は",
];

/// Letters between a name and the sign or verb behind it.
const MOST_BETWEEN: usize = 40;

/// All passwords that stand behind such a name.
pub(crate) fn passwords(text: &str) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut before = None;
    for (at, letter) in text.char_indices() {
        let is_begun = !before.is_some_and(char::is_alphabetic) || !letter.is_lowercase();
        before = Some(letter);
        let is_inside = found.last().is_some_and(|(last, _)| at < last.end);
        if !is_begun || is_inside || !letter.is_alphabetic() {
            continue;
        }
        let end = NAMES.iter().find_map(|name| end_of(text, at, name));
        if let Some(value) = end.and_then(|end| value_behind(text, end)) {
            found.push((value, "password"));
        }
    }
    found
}

/// Whether a text has the name of a password in another language.
pub(crate) fn names_password(text: &str) -> bool {
    let lower = text.to_lowercase();
    NAMES.iter().any(|name| lower.contains(name))
}

/// Where a name ends that begins at a place, in whatever case.
fn end_of(text: &str, at: usize, name: &str) -> Option<usize> {
    let mut rest = text[at..].char_indices();
    let mut wanted = name.chars();
    let mut end = at;
    loop {
        let Some(letter) = wanted.next() else {
            // `Passwortfeld` is another word; scripts without blanks go on.
            let next = text[end..].chars().next();
            let goes_on = next.is_some_and(char::is_lowercase);
            return (!goes_on).then_some(end);
        };
        let (offset, found) = rest.next()?;
        if !found.to_lowercase().eq(letter.to_lowercase()) {
            return None;
        }
        end = at + offset + found.len_utf8();
    }
}

/// The password behind a name, by the nearest sign or verb of its line.
fn value_behind(text: &str, from: usize) -> Option<Range<usize>> {
    let most = text.floor_char_boundary(from.saturating_add(MOST_BETWEEN).min(text.len()));
    let line = text[from..most].split(['\n', '\r']).next()?;
    let signs = [":", "=", "："].map(|sign| (line.find(sign).map(|at| at + sign.len()), true));
    let verbs = VERBS
        .iter()
        .map(|verb| (line.find(verb).map(|at| at + verb.len()), false));
    let places = signs.into_iter().chain(verbs);
    let (at, is_sign) = places
        .filter_map(|(at, is_sign)| Some((at?, is_sign)))
        .min()?;
    let bytes = text.as_bytes();
    let (value, is_quoted) = value_at(bytes, after_blanks(bytes, from + at));
    let value = match is_quoted {
        true => value,
        false => {
            let inside = text[value.clone()].trim_end_matches(['.', '!', '?', ':', '。', '，']);
            value.start..value.start + inside.len()
        }
    };
    let inside = &text[value.clone()];
    let is_it = match is_sign {
        true => is_assigned(inside, "password", is_quoted),
        false => is_said(inside, is_quoted),
    };
    is_it.then_some(value)
}

#[cfg(test)]
mod tests {
    use super::passwords;

    #[test]
    fn passwords_are_found_by_their_name_in_other_languages() {
        for (text, secret) in [
            ("Passwort: kT9-mandel", "kT9-mandel"),
            (
                "Das PASSWORT für die Datenbank ist kT9-mandel.",
                "kT9-mandel",
            ),
            ("kennwort=kT9mandel", "kT9mandel"),
            ("la contraseña es kT9mandel", "kT9mandel"),
            ("Mot de passe : \"kT9 mandel\"", "kT9 mandel"),
            ("Пароль: kT9mandel", "kT9mandel"),
            ("пароль от базы: kT9mandel", "kT9mandel"),
            ("密码是kT9mandel。", "kT9mandel"),
            ("パスワード：kT9mandel", "kT9mandel"),
            ("hasło: kT9mandel", "kT9mandel"),
            ("비밀번호: kT9mandel", "kT9mandel"),
        ] {
            let found = passwords(text);
            let values: Vec<&str> = found.iter().map(|(at, _)| &text[at.clone()]).collect();
            assert_eq!(values, [secret], "{text}");
        }
    }

    #[test]
    fn what_only_speaks_of_passwords_stays() {
        for text in [
            "Passwort vergessen? Klicke hier.",
            "Das Passwortfeld: siehe unten",
            "Das Passwort ist abgelaufen.",
            "пароль: не задан",
            "contraseña: ${PASSWORD}",
            "密码必须有八个字符",
        ] {
            assert!(passwords(text).is_empty(), "{text}");
        }
    }
}
