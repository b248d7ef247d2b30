//! The terms of a record: the texts that a search can begin with.
//!
//! A term is a letter, which says what kind of term it is, and the text from some place of a field on. Of a name there
//! is a term from each of its characters on, so that a part of it is found as the beginning of a term.

use croft_api::scalar::IpNet;

use super::{Field, Form, addresses::Block};

/// Characters of a term's text that are kept. What a search asks for beyond them is compared with the field.
pub(super) const KEPT: usize = 24;
/// Characters of a name up to which parts of it are found.
const SEARCHED: usize = 64;
/// Fewest characters of a part within a word.
pub(super) const PART: usize = 3;
/// Most words of a text that are found.
const WORDS: usize = 64;
/// Most words of the value of a label that are found.
const PAIR_WORDS: usize = 8;

/// From the beginning of a name on.
pub(super) const NAME: char = 'n';
/// From the beginning of a later word of a name on.
pub(super) const WORD: char = 'w';
/// From within a word of a name on.
pub(super) const INSIDE: char = 'p';
/// A word of a text.
pub(super) const TEXT: char = 't';
/// An address.
pub(super) const ADDRESS: char = 'a';
/// A network or a part of a range, found by what lies in it.
pub(super) const NETWORK: char = 'c';
/// The first address of a network or a range, found by what contains it.
pub(super) const FIRST: char = 'f';
/// A hardware address.
pub(super) const MAC: char = 'm';

/// A text that a search can begin with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Term {
    /// The letter and the text, cut to what is kept.
    pub(super) key: String,
    /// Of which field it is.
    pub(super) field: usize,
    /// The byte of the field's normalized text at which it begins.
    pub(super) at: usize,
}

/// A text as it is compared: in lower case, with single spaces and without control characters.
pub(super) fn normalized(text: &str) -> String {
    let mut normalized = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_whitespace() || character.is_control() {
            if !normalized.is_empty() && !normalized.ends_with(' ') {
                normalized.push(' ');
            }
        } else {
            normalized.extend(character.to_lowercase());
        }
    }
    normalized.truncate(normalized.trim_end().len());
    normalized
}

/// Whether a character is part of a word: not spaces and not what separates words.
pub(super) fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || !(character.is_ascii() || character.is_whitespace())
}

/// The letter of a kind of term, with the beginning of its text.
pub(super) fn key(kind: char, text: &str) -> String {
    std::iter::once(kind).chain(text.chars().take(KEPT)).collect()
}

/// The terms of fields, in order, each once.
pub(super) fn of(fields: &[Field]) -> Vec<Term> {
    let mut terms = Vec::new();
    for (field, Field { form, text, .. }) in fields.iter().enumerate() {
        let mut add = |key: String, at: usize| terms.push(Term { key, field, at });
        match form {
            Form::Name => of_name(&normalized(text), true, &mut add),
            Form::Label => of_name(&normalized(text), false, &mut add),
            Form::Pair => of_pair(&normalized(text), &mut add),
            Form::Text => of_text(&normalized(text), &mut add),
            Form::Mac => add(key(MAC, &hex_digits(text)), 0),
            Form::Address => {
                if let Some(block) = block(*form, text) {
                    add(format!("{ADDRESS}{}", block.first_text()), 0);
                }
            }
            Form::Network | Form::Range => {
                if let Some(block) = block(*form, text) {
                    add(format!("{FIRST}{}", block.first_text()), 0);
                    for network in block.networks() {
                        add(format!("{NETWORK}{}", block.network_text(network)), 0);
                    }
                }
            }
        }
    }
    terms.sort_unstable();
    terms.dedup_by(|later, earlier| later.key == earlier.key);
    terms
}

fn of_name(text: &str, with_parts: bool, add: &mut impl FnMut(String, usize)) {
    let mut before = None;
    let length = text.chars().count();
    for (position, (at, character)) in text.char_indices().enumerate().take(SEARCHED) {
        if is_of_word(character) {
            let begins_word = before.is_none_or(|before| !is_of_word(before));
            if before.is_none() {
                add(key(NAME, text), at);
            } else if begins_word {
                add(key(WORD, &text[at..]), at);
            } else if with_parts && length - position >= PART {
                add(key(INSIDE, &text[at..]), at);
            }
        }
        before = Some(character);
    }
}

fn of_pair(text: &str, add: &mut impl FnMut(String, usize)) {
    let value = text.find('=').map_or(text.len(), |at| at + 1);
    let name = text[..value].find('/').map_or(0, |at| at + 1);
    add(key(NAME, text), 0);
    if name > 0 {
        add(key(WORD, &text[name..]), name);
    }
    let mut before = None;
    let mut left = PAIR_WORDS;
    for (at, character) in text[value..].char_indices() {
        let begins_word = is_of_word(character) && before.is_none_or(|before| !is_of_word(before));
        if begins_word && left > 0 {
            add(key(WORD, &text[value + at..]), value + at);
            left -= 1;
        }
        before = Some(character);
    }
}

fn of_text(text: &str, add: &mut impl FnMut(String, usize)) {
    let mut before = None;
    let mut left = WORDS;
    for (at, character) in text.char_indices() {
        let begins_word = is_of_word(character) && before.is_none_or(|before| !is_of_word(before));
        if begins_word && left > 0 {
            let word = text[at..].split(' ').next().unwrap_or_default();
            add(key(TEXT, word), at);
            left -= 1;
        }
        before = Some(character);
    }
}

/// The addresses that a field is about, if it is about addresses.
pub(super) fn block(form: Form, text: &str) -> Option<Block> {
    match form {
        Form::Address => text.parse().ok().map(Block::address),
        Form::Network => text.parse::<IpNet>().ok().map(Block::network),
        Form::Range => {
            let (first, last) = text.split_once('-')?;
            Block::between(first.parse().ok()?, last.parse().ok()?)
        }
        Form::Name | Form::Label | Form::Text | Form::Mac | Form::Pair => None,
    }
}

/// The digits of a hardware address.
pub(super) fn hex_digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_hexdigit).map(|digit| digit.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Searched;

    fn keys(searched: &Searched) -> Vec<String> {
        of(&searched.fields).into_iter().map(|term| term.key).collect()
    }

    #[test]
    fn search_terms_match_the_stored_form() {
        let searched = Searched::named("web-01", "Serves *the* shop,  the\tBLOG")
            .name("hostname", "web-01")
            .label("rule", "allow-ssh")
            .address("ip", "10.0.0.5".parse().unwrap())
            .network("ipv4_block", "172.30.0.0/22".parse().unwrap())
            .range("range", "10.0.0.1".parse().unwrap(), "10.0.0.2".parse().unwrap())
            .mac("mac", "A8:40:25:F0:00:01".parse().unwrap());
        let expected = [
            "a40a000005",
            "c0040a000001",
            "c0040a000002",
            "c0a4ac1e0000",
            "f40a000001",
            "f4ac1e0000",
            "ma84025f00001",
            "nallow-ssh",
            "nweb-01",
            "pb-01",
            "peb-01",
            "tblog",
            "tserves",
            "tshop,",
            "tthe",
            "tthe*",
            "w01",
            "wssh",
        ];
        assert_eq!(keys(&searched), expected);
    }

    #[test]
    fn labels_are_found_by_key_by_value_and_by_both() {
        let mut searched = Searched::by_id();
        searched.fields.push(Field::of_label("example.com/tier", "Front-End"));
        assert_eq!(
            keys(&searched),
            ["nexample.com/tier=front-end".split_at(25).0, "wend", "wfront-end", "wtier=front-end"]
        );
        let mut hostile = Searched::by_id();
        hostile.fields.push(Field::of_label(&format!("{}a/k", "a.".repeat(126)), &"a-".repeat(31)));
        assert!(keys(&hostile).len() <= 2 + PAIR_WORDS);
    }

    #[test]
    fn any_text_has_search_terms() {
        assert_eq!(normalized("\u{0} A\u{0}B \u{202e}ÄÖ\n\n"), "a b \u{202e}äö");
        assert_eq!(keys(&Searched::by_id().name("name", "🚀")), ["n🚀"]);
        assert_eq!(keys(&Searched::by_id().name("name", "%_'\"")), [""; 0]);
        let long = "x".repeat(5_000);
        let terms = keys(&Searched::named(&long, &long));
        assert!(terms.iter().all(|term| term.chars().count() <= KEPT + 1));
        assert!(terms.len() <= SEARCHED + WORDS);
    }
}
