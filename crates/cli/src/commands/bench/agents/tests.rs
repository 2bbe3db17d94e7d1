//! Agents over small workspaces.

use super::*;

/// A workspace of texts.
pub(super) fn sources(files: &[(&str, &str)]) -> Sources {
    let texts = files.iter();
    Sources::from_texts(texts.map(|(path, text)| ((*path).to_owned(), (*text).to_owned())))
}

/// Lets an agent go on over texts alone; the calls of each turn.
fn followed(agent: &mut dyn Agent, sources: &Sources, turns: usize) -> Vec<Vec<String>> {
    let mut shown = ShownLines::default();
    let turn = |_| {
        let calls = agent.turn(&shown);
        for call in &calls {
            let answer = match call {
                AgentCall::Search { word, order } => sources.grep(word, order),
                AgentCall::Read { path, lines } => sources.lines(path, *lines),
                AgentCall::Tool { .. } => String::new(),
            };
            shown.read(
                sources,
                "",
                &answer,
                !matches!(call, AgentCall::Search { .. }),
            );
            agent.told(call, &answer);
        }
        calls.iter().map(AgentCall::text).collect::<Vec<_>>()
    };
    (0..turns)
        .map(turn)
        .take_while(|calls| !calls.is_empty())
        .collect()
}

fn shop() -> Sources {
    let filler = "x = 1\n".repeat(200);
    let cart = format!("{filler}def total(cart):\n    return cart.price_sum\n{filler}");
    sources(&[
        ("shop/cart.py", &cart),
        ("shop/price.py", "price_sum = 2\n"),
        ("tests/test_cart.py", "def test_total():\n    total(1)\n"),
    ])
}

#[test]
fn the_searching_agent_searches_reads_around_the_best_match_and_follows_names() {
    let sources = shop();
    let mut agent = SearchingAgent::new("Let the total of a cart have a price", &sources);
    let turns = followed(&mut agent, &sources, 20);
    assert_eq!(
        turns[0],
        ["grep -n -i cart", "grep -n -i price", "grep -n -i total"]
    );
    assert_eq!(turns[1][0], "read shop/cart.py 161-280", "{turns:?}");
    assert_eq!(
        turns[2],
        ["grep -n -i test_total", "grep -n -i price_sum"],
        "{turns:?}"
    );
    assert!(
        turns
            .concat()
            .contains(&"read shop/cart.py 1-120".to_owned()),
        "{turns:?}"
    );
    let all = turns.concat();
    let distinct: std::collections::HashSet<&String> = all.iter().collect();
    assert_eq!(distinct.len(), all.len(), "nothing is asked twice");
    assert!(turns.len() < 20, "it gives up where everything was read");
}

#[test]
fn the_equipped_agent_begins_with_the_question_and_then_does_as_the_other() {
    let sources = shop();
    let mut agent = EquippedAgent::new("Let the total of a cart have a price", &sources);
    let turns = followed(&mut agent, &sources, 3);
    assert!(
        turns[0][0].starts_with("codecortex_getContext {"),
        "{turns:?}"
    );
    assert!(
        turns[1][0].starts_with("grep "),
        "nothing was shown: {turns:?}"
    );
    let mut agent = EquippedAgent::new("total", &sources);
    let context = agent.turn(&ShownLines::default());
    agent.told(&context[0], "shop/cart.py\nCart: total, add\n");
    let source = agent.turn(&ShownLines::default());
    assert!(
        source[0].text().contains("[\"Cart.total\",\"Cart.add\"]"),
        "{source:?}"
    );
}
