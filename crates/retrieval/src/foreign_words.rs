//! Words of other languages than English that say how a question is asked, not what it is about. Some are names in code
//! (`die`, `par`, `sin`), so that they are left out only of a question that is written in their language.

/// Words by language: what most sentences have.
const LANGUAGES: [&str; 8] = [
    // German
    " der die das den dem des ein eine einen einem einer und oder nicht ist sind wird werden wurde wie was wo wer wann warum \
     wenn dass mit von zu zum zur im in auf aus bei für nach über unter durch um an als auch nur noch man es sie er ich wir \
     kann soll muss hat haben gibt welche welcher welches dieser diese dieses ",
    // French
    " le la les un une des du de et ou ne pas est sont été être comment quoi où qui que quand pourquoi si avec pour dans sur \
     par sans sous entre au aux ce cette ces il elle on nous vous je se sa son ses leur dont plus fait faire peut doit quel \
     quelle quels quelles ",
    // Spanish
    " el la los las un una unos unas y o no es son está están ser cómo como qué dónde donde quién cuándo cuando por porque \
     para con sin sobre entre en de del al se su sus lo le les que si más hay puede debe cuál este esta estos estas ",
    // Portuguese
    " o a os as um uma uns umas e ou não é são está ser como que onde quem quando por porque para com sem sobre entre em de \
     do da dos das no na nos nas ao se seu sua seus mais há pode deve qual este esta isso ",
    // Italian
    " il lo la i gli le un uno una e o non è sono essere come che cosa dove chi quando perché per con senza su tra fra in di \
     del della dei delle nel nella al alla si suo sua più può deve quale questo questa ",
    // Dutch
    " de het een en of niet is zijn wordt worden hoe wat waar wie wanneer waarom als dat met van voor op in uit bij naar over \
     onder door om aan ook nog er deze dit kan moet heeft welke ",
    // Polish
    " i w na z do nie jest są się jak co gdzie kto kiedy dlaczego czy że to ten ta te dla od po przez przy oraz lub który \
     która które może ",
    // Turkish
    " ve veya bir bu şu o ne nasıl nerede kim neden niçin ile için gibi daha çok mi mı mu mü değil olan olarak hangi ",
];

/// Words of a language that a question is taken to be written in.
const LEAST_WORDS: usize = 2;

/// The words that a question's language leaves out.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ForeignStopWords(Option<&'static str>);

impl ForeignStopWords {
    /// Those of the language that most words of a question are of; none where it is English, or cannot be told.
    pub(crate) fn of_question(text: &str) -> Self {
        let line = text.lines().find(|line| !line.trim().is_empty());
        let words = line.unwrap_or("").split_whitespace().take(64);
        let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        let words: Vec<String> = words
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let count = |has: &dyn Fn(&str) -> bool| words.iter().filter(|word| has(word)).count();
        let english = count(&|word| is_english(word));
        let best = LANGUAGES
            .into_iter()
            .map(|language| (count(&|word| is_in(language, word)), language))
            .max_by_key(|(count, _)| *count);
        Self(best.and_then(|(count, language)| {
            let is_foreign = count >= LEAST_WORDS && count > english && 5 * count >= words.len();
            is_foreign.then_some(language)
        }))
    }

    /// Whether a word is one of them.
    pub(crate) fn has(self, word: &str) -> bool {
        self.0
            .is_some_and(|language| is_in(language, &word.to_lowercase()))
    }
}

fn is_in(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|known| known == word)
}

/// Words that say that a question is written in English.
fn is_english(word: &str) -> bool {
    const WORDS: &str = " the a an and or of to is are was be how what where which who when why does do with for from by on \
        in into that this it its not no as at if can should ";
    is_in(WORDS, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_leaves_out_the_small_words_of_its_language() {
        let german =
            ForeignStopWords::of_question("Wo wird die Verbindung zum Server geschlossen?");
        assert!(german.has("die") && german.has("Wird") && !german.has("Verbindung"));
        let french = ForeignStopWords::of_question("comment fermer la connexion par défaut");
        assert!(french.has("par") && !french.has("connexion"));
    }

    #[test]
    fn english_and_names_are_left_as_they_are() {
        for text in [
            "where does die get called in the parser",
            "die",
            "sin cos tan",
            "no such file or directory",
            "url_for",
            "",
        ] {
            let words = ForeignStopWords::of_question(text);
            assert!(
                !words.has("die") && !words.has("sin") && !words.has("no"),
                "{text}"
            );
        }
    }
}
