//! What is searched for: the ranges of terms that answer it, in the order of how well they do.

use std::{collections::BTreeMap, net::IpAddr};

use croft_api::{
    scalar::IpNet,
    search::{SearchMatch, SearchRank},
};
use uuid::Uuid;

use super::{
    Field, Form,
    addresses::Block,
    terms::{self, Term},
};
use crate::Record;

/// Fewest digits by which an id is found.
const ID_DIGITS: usize = 4;
/// Digits of an id.
const ALL_ID_DIGITS: usize = 32;

/// What is searched for.
#[derive(Clone, Debug)]
pub struct SearchQuery {
    /// The words, as they are compared. Every one of them has to be found.
    words: Vec<String>,
    /// The longest word from its first letter or digit on: the one that terms begin with.
    lead: String,
    /// The addresses that are searched for.
    block: Option<Block>,
    pub(super) steps: Vec<Step>,
}

/// What is looked through before all that answers less well.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Ids from one to another, both included.
    Ids(Uuid, Uuid),
    /// Terms from a text on, and before another.
    Terms(How, Vec<(String, String)>),
}

/// How terms answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Same,
    Contains,
    Within,
    Begins,
}

impl SearchQuery {
    /// Reads what is searched for. Everything is a text; some texts are addresses, networks, ids or hardware addresses, too.
    pub fn new(text: &str) -> Self {
        let text = terms::normalized(text);
        let words: Vec<String> = text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let from_first = |word: &String| word.trim_start_matches(|c| !terms::is_of_word(c)).to_owned();
        // The first of the longest.
        let longest = words.iter().map(from_first).rev().max_by_key(|word| word.chars().count());
        let lead = longest.unwrap_or_default();
        let block = addresses(&text);
        let mut query = Self { words, lead, block, steps: Vec::new() };
        query.steps = query.steps(&text);
        query
    }

    /// Whether nothing is searched for.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether a record with these labels is an answer.
    pub fn is_answered_by<R: Record>(&self, record: &R, labels: &BTreeMap<String, String>) -> bool {
        record.searched().is_some_and(|mut searched| {
            searched.fields.extend(labels.iter().map(|(key, value)| Field::of_label(key, value)));
            self.place(R::TABLE.name, record.meta().id, &searched.fields).is_some()
        })
    }

    fn steps(&self, text: &str) -> Vec<Step> {
        let mut steps = Vec::new();
        let digits = id_digits(text);
        let whole_id = digits.as_ref().is_some_and(|digits| digits.len() == ALL_ID_DIGITS);
        let ids = digits.map(|digits| Step::Ids(filled(&digits, '0'), filled(&digits, 'f')));
        let mut ids = ids.into_iter();
        if whole_id {
            steps.extend(ids.next());
        }
        if let Some(block) = self.block {
            let network = |network| beginning(&format!("{}{}", terms::NETWORK, block.network_text(network)));
            if block.first == block.last {
                steps.push(Step::Terms(How::Same, vec![span(terms::ADDRESS, block)]));
            } else {
                steps.push(Step::Terms(How::Within, vec![span(terms::FIRST, block)]));
                steps.push(Step::Terms(How::Within, vec![span(terms::ADDRESS, block)]));
            }
            steps.push(Step::Terms(How::Contains, block.enclosing().into_iter().map(network).collect()));
        }
        if let Some(digits) = mac_digits(text) {
            steps.push(Step::Terms(How::Begins, vec![beginning(&terms::key(terms::MAC, &digits))]));
        }
        if self.lead.is_empty() {
            return steps;
        }
        let mut begins = |kind| {
            steps.push(Step::Terms(How::Begins, vec![beginning(&terms::key(kind, &self.lead))]));
        };
        begins(terms::NAME);
        begins(terms::WORD);
        if self.lead.chars().count() >= terms::PART {
            begins(terms::INSIDE);
        }
        begins(terms::TEXT);
        // Names are meant more often than ids, unless it can be nothing but an id.
        let after_names = steps.len() - if self.lead.chars().count() >= terms::PART { 3 } else { 2 };
        if let Some(ids) = ids.next() {
            steps.insert(after_names, ids);
        }
        steps
    }

    /// Where a record stands among the answers, and why; none if it is no answer. A record has many terms, but only one
    /// place: that of its first.
    pub(super) fn place(
        &self,
        kind: &str,
        id: Uuid,
        fields: &[Field],
    ) -> Option<(usize, String, SearchMatch)> {
        let terms = terms::of(fields);
        self.steps.iter().enumerate().find_map(|(number, step)| match step {
            Step::Ids(first, last) => {
                let rank = if first == last { SearchRank::Exact } else { SearchRank::Prefix };
                let matched = SearchMatch { rank, field: "id".into(), text: id.to_string() };
                (*first..=*last).contains(&id).then(|| (number, kind.to_owned(), matched))
            }
            Step::Terms(how, ranges) => {
                let in_range = |term: &&Term| {
                    ranges.iter().any(|(from, to)| (from.as_str()..to.as_str()).contains(&term.key.as_str()))
                };
                let mut found = terms.iter().filter(in_range);
                found.find_map(|term| {
                    let is_all = ranges.iter().any(|(from, _)| *from == term.key);
                    let matched = self.matched(*how, is_all, term, fields)?;
                    Some((number, term.key.clone(), matched))
                })
            }
        })
    }

    /// Why a term within the range of a step answers, if the field that it is of does.
    fn matched(&self, how: How, is_all: bool, term: &Term, fields: &[Field]) -> Option<SearchMatch> {
        let field = &fields[term.field];
        let because = |rank| SearchMatch { rank, field: field.name.clone(), text: field.text.clone() };
        let found = || Some((self.block?, terms::block(field.form, &field.text)?));
        match how {
            How::Same => Some(because(SearchRank::Exact)),
            How::Contains => {
                let (searched, found) = found()?;
                let rank = if found == searched { SearchRank::Exact } else { SearchRank::Contains };
                found.contains(searched).then(|| because(rank))
            }
            How::Within => {
                let (searched, found) = found()?;
                let rank = if found == searched { SearchRank::Exact } else { SearchRank::Within };
                searched.contains(found).then(|| because(rank))
            }
            How::Begins if field.form == Form::Mac => {
                Some(because(if is_all { SearchRank::Exact } else { SearchRank::Prefix }))
            }
            How::Begins => {
                let text = terms::normalized(&field.text);
                let begins = text.get(term.at..).is_some_and(|rest| rest.starts_with(&self.lead));
                if !begins || !self.has_all_words(fields) {
                    return None;
                }
                let kind = term.key.chars().next()?;
                Some(because(match kind {
                    terms::NAME if text == self.words.join(" ") => SearchRank::Exact,
                    terms::NAME => SearchRank::Prefix,
                    terms::WORD => SearchRank::Word,
                    terms::INSIDE => SearchRank::Part,
                    _ => SearchRank::Text,
                }))
            }
        }
    }

    fn has_all_words(&self, fields: &[Field]) -> bool {
        if self.words.len() == 1 && self.words[0] == self.lead {
            return true;
        }
        let texts: Vec<String> = fields.iter().map(|field| terms::normalized(&field.text)).collect();
        self.words.iter().all(|word| texts.iter().any(|text| text.contains(word)))
    }
}

/// The terms that begin with a text.
fn beginning(text: &str) -> (String, String) {
    (text.to_owned(), format!("{text}{}", char::MAX))
}

/// The terms of a kind that are of addresses in a block.
fn span(kind: char, block: Block) -> (String, String) {
    (format!("{kind}{}", block.first_text()), format!("{kind}{}{}", block.last_text(), char::MAX))
}

/// What addresses a text names: one, a network, or the first two or three numbers of an IPv4 address.
fn addresses(text: &str) -> Option<Block> {
    if let Ok(address) = text.parse::<IpAddr>() {
        return Some(Block::address(address));
    }
    if text.contains('/') {
        let network: IpNet = text.parse().ok()?;
        return Some(Block::network(network));
    }
    let numbers: Vec<&str> = text.strip_suffix('.').unwrap_or(text).split('.').collect();
    let width = match numbers.as_slice() {
        [_, _] => 16,
        [_, _, _] => 24,
        _ => return None,
    };
    let rest = ".0".repeat(4 - numbers.len());
    let network: IpNet = format!("{}{rest}/{width}", numbers.join(".")).parse().ok()?;
    Some(Block::network(network))
}

/// The digits of an id or of its beginning.
fn id_digits(text: &str) -> Option<String> {
    let dashes = [8, 13, 18, 23];
    let has_dashes = text.contains('-');
    let is_id = text.chars().enumerate().all(|(position, character)| {
        if has_dashes && dashes.contains(&position) {
            character == '-'
        } else {
            character.is_ascii_hexdigit()
        }
    });
    let digits: String = text.chars().filter(|character| *character != '-').collect();
    (is_id && (ID_DIGITS..=ALL_ID_DIGITS).contains(&digits.len())).then_some(digits)
}

/// The digits of a hardware address or of its beginning: two pairs at least, with colons or dashes between them.
fn mac_digits(text: &str) -> Option<String> {
    let pairs: Vec<&str> = text.split([':', '-']).collect();
    let is_pair = |pair: &&str| pair.len() == 2 && pair.chars().all(|digit| digit.is_ascii_hexdigit());
    let whole = text.len() == 12 && text.chars().all(|digit| digit.is_ascii_hexdigit());
    let in_pairs = (2..=6).contains(&pairs.len()) && pairs.iter().all(is_pair);
    (whole || in_pairs).then(|| terms::hex_digits(text))
}

/// The id that begins with these digits and goes on with one digit.
fn filled(digits: &str, digit: char) -> Uuid {
    let rest = std::iter::repeat_n(digit, ALL_ID_DIGITS - digits.len());
    let all: String = digits.chars().chain(rest).collect();
    Uuid::parse_str(&all).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Searched;

    fn rank(text: &str, searched: &Searched) -> Option<SearchRank> {
        let id: Uuid = "0a1b2c3d-4e5f-4678-89ab-cdef01234567".parse().unwrap();
        SearchQuery::new(text).place("instance", id, &searched.fields).map(|(_, _, matched)| matched.rank)
    }

    #[test]
    fn best_match_determines_the_rank() {
        let web = Searched::named("web-server-1", "The shop's *main* server").name("hostname", "shop");
        for (text, expected) in [
            ("WEB-server-1", Some(SearchRank::Exact)),
            ("shop", Some(SearchRank::Exact)),
            ("web", Some(SearchRank::Prefix)),
            ("web-server-12", None),
            ("server", Some(SearchRank::Word)),
            ("1", Some(SearchRank::Word)),
            ("erver-1", Some(SearchRank::Part)),
            ("er", None),
            ("main", Some(SearchRank::Text)),
            ("mai", Some(SearchRank::Text)),
            ("ain", None),
            ("main web", Some(SearchRank::Text)),
            ("main server", Some(SearchRank::Word)),
            ("web staging", None),
            ("0a1b2c", Some(SearchRank::Prefix)),
            ("0A1B2C3D-4e5f-4678-89ab-cdef01234567", Some(SearchRank::Exact)),
            ("0a1b2c3d4e5f467889abcdef01234567", Some(SearchRank::Exact)),
            ("0a1b2c3d-4e", Some(SearchRank::Prefix)),
            ("0a1", None),
            ("0a1b2c3d-4f", None),
            ("", None),
            ("%", None),
            ("we_", None),
            ("web-%", None),
        ] {
            assert_eq!(rank(text, &web), expected, "{text:?}");
        }
    }

    #[test]
    fn addresses_find_networks_and_networks_find_addresses() {
        let interface = Searched::by_id().address("ip", "172.30.0.5".parse().unwrap());
        let subnet = Searched::by_id().network("ipv4_block", "172.30.0.0/22".parse().unwrap());
        let (first, last) = ("172.30.0.3".parse().unwrap(), "172.30.0.9".parse().unwrap());
        let range = Searched::by_id().range("range", first, last);
        let v6 = Searched::by_id().network("ipv6_block", "fd00::/48".parse().unwrap());
        for (text, expected) in [
            (
                "172.30.0.5",
                [Some(SearchRank::Exact), Some(SearchRank::Contains), Some(SearchRank::Contains), None],
            ),
            ("172.30.0.50", [None, Some(SearchRank::Contains), None, None]),
            ("172.30.0.9", [None, Some(SearchRank::Contains), Some(SearchRank::Contains), None]),
            (
                "172.30.0.0/22",
                [Some(SearchRank::Within), Some(SearchRank::Exact), Some(SearchRank::Within), None],
            ),
            (
                "172.30.0.0/24",
                [Some(SearchRank::Within), Some(SearchRank::Contains), Some(SearchRank::Within), None],
            ),
            (
                "172.30.0.4/30",
                [Some(SearchRank::Within), Some(SearchRank::Contains), Some(SearchRank::Contains), None],
            ),
            ("172.30", [Some(SearchRank::Within), Some(SearchRank::Within), Some(SearchRank::Within), None]),
            (
                "172.30.0.",
                [Some(SearchRank::Within), Some(SearchRank::Contains), Some(SearchRank::Within), None],
            ),
            ("fd00::1", [None, None, None, Some(SearchRank::Contains)]),
            ("fd00::/16", [None, None, None, Some(SearchRank::Within)]),
            (
                "0.0.0.0/0",
                [Some(SearchRank::Within), Some(SearchRank::Within), Some(SearchRank::Within), None],
            ),
            ("172.300", [None; 4]),
        ] {
            let found = [&interface, &subnet, &range, &v6].map(|searched| rank(text, searched));
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn hardware_addresses_are_found_by_prefix() {
        let interface = Searched::by_id().mac("mac", "A8:40:25:F0:00:01".parse().unwrap());
        assert_eq!(rank("a8:40", &interface), Some(SearchRank::Prefix));
        for text in ["A8-40-25-f0-00-01", "a84025f00001", "A8:40:25:F0:00:01"] {
            assert_eq!(rank(text, &interface), Some(SearchRank::Exact), "{text:?}");
        }
        for text in ["a8", "40:25", "a8:4"] {
            assert_eq!(rank(text, &interface), None, "{text:?}");
        }
    }
}
