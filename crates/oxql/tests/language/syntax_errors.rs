use croft_oxql::{SyntaxError, parse};

use crate::kit::now;

fn error(text: &str) -> String {
    parse(text, now()).expect_err(text).to_string()
}

#[test]
fn errors_show_position_and_expected_tokens() {
    assert_eq!(
        error("get a:b | frist 5"),
        "Error at 1:11: .. get a:b | frist 5 ..\n                            ^\n\
         Expected: align, filter, first, group_by, join, last"
    );
    assert_eq!(error("grab a:b"), "Error at 1:1: .. grab a:b ..\n                 ^\nExpected: get, {");
}

#[test]
fn lines_and_characters_are_counted_from_one() {
    assert!(error("get a:b\n  | first 1\n  | lost 5").starts_with("Error at 3:5: .. "));
    assert!(error("get a:b | filter x == 'äöü' y").starts_with("Error at 1:29: .. "));
    assert!(error("get a:b | ").starts_with("Error at 1:10: .. get a:b | ..\n"), "{}", error("get a:b | "));
}

#[test]
fn errors_show_an_excerpt() {
    let text = format!("get a:b | filter {} == ? && y == 2", "x".repeat(60));
    let expected = format!(".. {} == ? && y == 2 ..", "x".repeat(20));
    assert!(error(&text).contains(&expected), "{}", error(&text));
    let after = format!("get a:b ? {}", "y".repeat(60));
    assert!(error(&after).contains(&format!(".. get a:b ? {} ..", "y".repeat(22))), "{}", error(&after));
}

#[test]
fn the_caret_marks_the_position() {
    for text in ["get a:b | filter x == ?", "get a:b\n| filter x == ?", "get a:b | filter ä", "?"] {
        let shown = error(text);
        let mut lines = shown.lines();
        let (first, second) = (lines.next().unwrap(), lines.next().unwrap());
        let under = first.chars().nth(second.chars().position(|character| character == '^').unwrap());
        assert!(matches!(under, Some('?' | 'ä')), "{shown}");
    }
}

#[test]
fn errors_in_literals_have_reason_and_position() {
    for (text, column, expected) in [
        ("get a:b | filter x == 99999999999999999999", 23, "positive overflow"),
        ("get a:b | filter x == -99999999999999999999", 23, "negative overflow"),
        ("get a:b | filter x == 9999999999s", 23, "invalid count for duration literal"),
        ("get a:b | filter x == 4294967295Y", 23, "overflowed duration literal"),
        ("get a:b | first 0", 17, "limit count must be a nonzero usize"),
        ("get a:b | filter x ~= 5", 23, "~= comparison is only supported for string literals"),
        ("get a:b | filter x == 'ab\\q'", 26, r"escape \n, \r, \t, \\, \0 or \u{...}"),
    ] {
        match parse(text, now()).unwrap_err() {
            SyntaxError::Unexpected { line, column: at, expected: found, .. } => {
                assert_eq!((line, at, found.as_str()), (1, column, expected), "{text}");
            }
            SyntaxError::TooLong => panic!("{text}"),
        }
    }
}
