//! The parser accepts or rejects any input without a panic, and its errors have a valid position.

use croft_oxql::{SyntaxError, parse};
use proptest::prelude::*;

use crate::kit::now;

const QUERIES: [&str; 8] = [
    "get virtual_machine:vcpu_usage | filter instance_id == \"0190f5f8-7a5d-7000-8000-00000000002a\" && state == \"run\" \
     && timestamp >= @2026-01-01T00:00:00.000 | align mean_within(60s) | group_by [instance_id], sum",
    "{ get a:x | filter y == 1 || !(z != 2 ^ w > 3.5e-1); get a:y | last 5 } | filter timestamp < @now() - 5m",
    "{ { get a:b; get c:d } | align mean_within(5ms) | join; get e:f } | first 0x10",
    "get a:b | filter s ~= '^a\\u{41}.*$' && ip == \"fd00::1\" && t == @12:30:00.5 | group_by [a, b, ], mean",
    "get a:b | filter ((x == -5)) && d == 1. && e == .5 && f == 18446744073709551615",
    "get a:b\n\t| filter x == 'größe' | align interpolate(1Y)",
    "get a:b | filter !!!x == true || y == false",
    "get hardware_component:temperature | filter slot == 14 && timestamp > @now() - 5m | last 1",
];

/// A token that may occur in a query.
fn token() -> impl Strategy<Value = String> {
    let words: Vec<&str> = QUERIES.iter().flat_map(|query| query.split(' ')).collect();
    prop_oneof![
        proptest::sample::select(words).prop_map(String::from),
        proptest::sample::select(vec![
            "(", ")", "{", "}", ";", "|", "||", "&&", "^", "!", "[", "]", ",", "'", "\"", "@", "-", "\\u{"
        ])
        .prop_map(String::from),
        any::<char>().prop_map(String::from),
    ]
}

fn check_parser(text: &str) {
    match parse(text, now()) {
        Ok(query) => {
            let printed = query.to_string();
            if let Ok(again) = parse(&printed, now()) {
                assert_eq!(again, query, "{text:?}");
            } else {
                assert!(printed.len() > croft_oxql::LONGEST_QUERY, "{text:?} printed as {printed:?}");
            }
        }
        Err(SyntaxError::TooLong) => assert!(text.trim().len() > croft_oxql::LONGEST_QUERY),
        Err(error @ SyntaxError::Unexpected { line, column, offset, .. }) => {
            let text = text.trim();
            assert!(text.is_char_boundary(offset), "{text:?}: {error}");
            let before = &text[..offset];
            assert_eq!(line, before.split('\n').count(), "{text:?}");
            assert_eq!(column, before.rsplit('\n').next().unwrap_or("").chars().count() + 1, "{text:?}");
            let shown = error.to_string();
            assert_eq!(shown.lines().count(), 3, "{shown:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn parser_accepts_or_rejects_any_text(text in "\\PC{0,200}") {
        check_parser(&text);
    }

    #[test]
    fn parser_accepts_or_rejects_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        check_parser(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn parser_accepts_or_rejects_any_sequence_of_tokens(pieces in proptest::collection::vec((token(), any::<bool>()), 0..40)) {
        check_parser(&pieces.iter().map(|(piece, space)| if *space { format!("{piece} ") } else { piece.clone() }).collect::<String>());
    }

    #[test]
    fn parser_accepts_or_rejects_mutated_queries(
        query in proptest::sample::select(QUERIES.to_vec()),
        faults in proptest::collection::vec((any::<prop::sample::Index>(), 0..3, any::<char>()), 1..4),
    ) {
        let mut characters: Vec<char> = query.chars().collect();
        for (place, kind, character) in faults {
            let place = place.index(characters.len());
            match kind {
                0 => drop(characters.remove(place)),
                1 => characters.insert(place, character),
                _ => characters[place] = character,
            }
        }
        check_parser(&characters.into_iter().collect::<String>());
    }

    #[test]
    fn parser_accepts_or_rejects_repeated_tokens(piece in token(), times in 1..4000_usize, lead in proptest::sample::select(vec!["", "get a:b | filter ", "get a:b | "])) {
        check_parser(&format!("{lead}{}", piece.repeat(times)));
    }
}

#[test]
fn sample_queries_are_valid() {
    for query in QUERIES {
        assert!(parse(query, now()).is_ok(), "{query}: {:?}", parse(query, now()));
    }
}
