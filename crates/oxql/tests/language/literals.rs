use croft_oxql::{
    language::{Duration, DurationUnit, Filter, Literal, Operation},
    parse,
};
use proptest::prelude::*;

use crate::kit::{SECOND, now};

fn literal(text: &str) -> Result<Literal, String> {
    let query = parse(&format!("get a:b | filter x == {text}"), now()).map_err(|error| error.to_string())?;
    match query.operations.into_iter().next() {
        Some(Operation::Filter(Filter::Compare(comparison))) => Ok(comparison.literal),
        other => panic!("{other:?}"),
    }
}

fn refused(text: &str, fragment: &str) {
    let error = literal(text).expect_err(text);
    assert!(error.starts_with("Error at 1:"), "{error}");
    assert!(error.contains(fragment), "{text}: {error}");
}

#[test]
fn booleans() {
    assert_eq!(literal("true"), Ok(Literal::Boolean(true)));
    assert_eq!(literal("false"), Ok(Literal::Boolean(false)));
    for wrong in ["True", "truex", "t", "FALSE"] {
        refused(wrong, "Expected: ");
    }
}

#[test]
fn durations() {
    let units = [
        ("1Y", 365 * 86_400 * SECOND),
        ("1M", 30 * 86_400 * SECOND),
        ("2w", 14 * 86_400 * SECOND),
        ("1d", 86_400 * SECOND),
        ("1h", 3_600 * SECOND),
        ("5m", 300 * SECOND),
        ("7s", 7 * SECOND),
        ("7ms", 7_000_000),
        ("7us", 7_000),
        ("7ns", 7),
        ("0s", 0),
        ("0x10s", 16 * SECOND),
        ("4294967295ns", 4_294_967_295),
    ];
    for (text, nanoseconds) in units {
        match literal(text) {
            Ok(Literal::Duration(duration)) => assert_eq!(duration.as_nanoseconds(), nanoseconds, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    refused("4294967296s", "invalid count for duration literal");
    refused("-1s", "invalid count for duration literal");
    refused("4294967295Y", "overflowed duration literal");
    for sum in ["1h30m", "1 s", "1S", "1y", "1.5s"] {
        refused(sum, "Expected: ");
    }
    assert_eq!(Duration::new(1, DurationUnit::Minute), Duration::new(1, DurationUnit::Minute));
}

#[test]
fn integers() {
    let integers = [
        ("0", 0),
        ("5", 5),
        ("-5", -5),
        ("007", 7),
        ("0xff", 255),
        ("0xFF", 255),
        ("-0x10", -16),
        ("18446744073709551615", i128::from(u64::MAX)),
        ("-9223372036854775808", i128::from(i64::MIN)),
    ];
    for (text, value) in integers {
        assert_eq!(literal(text), Ok(Literal::Integer(value)), "{text}");
    }
    refused("18446744073709551616", "positive overflow");
    refused("0x10000000000000000", "positive overflow");
    refused("-9223372036854775809", "negative overflow");
    refused(&"9".repeat(100), "positive overflow");
    refused(&format!("-{}", "9".repeat(100)), "negative overflow");
    for wrong in ["+5", "-", "0x", "1_000", "5u", "--5", "- 5"] {
        refused(wrong, "Expected: ");
    }
}

#[test]
fn doubles() {
    let doubles = [
        ("1.", 1.0),
        (".5", 0.5),
        ("1.5", 1.5),
        ("-1.5", -1.5),
        ("-.5", -0.5),
        ("1e3", 1000.0),
        ("1e-3", 0.001),
        ("1.5e2", 150.0),
        ("1.e2", 100.0),
    ];
    for (text, value) in doubles {
        assert_eq!(literal(text), Ok(Literal::Double(value)), "{text}");
    }
    for wrong in [".", "1e+3", "1e", "e3", "1.5.2", "NaN", "inf", "1e999"] {
        refused(wrong, "Expected: ");
    }
}

/// Asserts that a literal is rounded to the same double as by the standard library.
#[track_caller]
fn assert_nearest_double(text: &str) {
    let Ok(Literal::Double(value)) = literal(text) else { panic!("{text}") };
    let expected: f64 = text.parse().unwrap();
    assert_eq!(value.to_bits(), expected.to_bits(), "{text}");
}

#[test]
fn doubles_near_the_limits_are_rounded_correctly() {
    let zeros = "0".repeat(900);
    for text in [
        "-0.0",
        "-00.10e01",
        "0e-99999999999999999999",
        "1e-99999999999999999999",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "9007199254740993.0",
        "9007199254740992.9999999999999999999999999999999999999999",
        "9007199254740993.0000000000000000000000000000000000000001",
        &format!("9007199254740993.{zeros}1"),
        &format!("1{zeros}e-900"),
        &format!("0.{zeros}1e900"),
    ] {
        assert_nearest_double(text);
    }
    refused("1.7976931348623159e308", "finite double literal");
}

proptest! {
    #[test]
    fn printed_double_parses_to_the_same_value(bits: u64) {
        let value = f64::from_bits(bits);
        prop_assume!(value.is_finite());
        for text in [format!("{value:?}"), format!("{value:e}"), format!("{value:.400}")] {
            // Whole numbers without a point are integers.
            if text.contains(['.', 'e']) {
                assert_nearest_double(&text);
            }
        }
    }

    #[test]
    fn any_decimal_number_is_rounded_correctly(text in r"-?[0-9]{1,40}\.[0-9]{0,40}(e-?[0-9]{1,2})?") {
        assert_nearest_double(&text);
    }
}

#[test]
fn quoted_text_that_looks_like_an_id_or_an_address_is_one() {
    let id = "0190F5F8-7A5D-7000-8000-00000000002a".parse().unwrap();
    for text in ["\"0190f5f8-7a5d-7000-8000-00000000002a\"", "\"0190F5F87A5D7000800000000000002A\""] {
        assert_eq!(literal(text), Ok(Literal::Uuid(id)));
    }
    for text in ["10.0.0.1", "::1", "fd00::1", "::"] {
        assert_eq!(literal(&format!("\"{text}\"")), Ok(Literal::IpAddr(text.parse().unwrap())));
    }
    let texts = [
        "'10.0.0.1'",
        "'0190f5f8-7a5d-7000-8000-00000000002a'",
        "\"10.0.0\"",
        "\"010.0.0.1\"",
        "\"FD00::1\"",
        "\"::ffff:1.2.3.4\"",
        "\"{0190f5f8-7a5d-7000-8000-00000000002a}\"",
        "\"0190f5f8-7a5d-7000-8000-00000000002\"",
        "\"0190f5f87a5d-7000-8000-00000000002a--\"",
    ];
    for text in texts {
        assert_eq!(literal(text), Ok(Literal::String(text[1..text.len() - 1].into())), "{text}");
    }
}

#[test]
fn strings() {
    let strings = [
        ("\"run\"", "run"),
        ("'run'", "run"),
        ("''", ""),
        ("'say \"hi\"'", "say \"hi\""),
        ("\"it's\"", "it's"),
        (r"'a\n\r\t\\\0b'", "a\n\r\t\\\0b"),
        (r"'\u{1f600}\u{27}'", "\u{1f600}'"),
        ("'a | b || c; {d}'", "a | b || c; {d}"),
        ("'two\nlines'", "two\nlines"),
        ("'größe'", "größe"),
    ];
    for (text, value) in strings {
        assert_eq!(literal(text), Ok(Literal::String(value.into())), "{text}");
    }
    for wrong in [
        r"'\x41'",
        r#""\"""#,
        r"'\u{}'",
        r"'\u{d800}'",
        r"'\u{1234567}'",
        r"'\u{zz}'",
        r"'\u41'",
        "'open",
        "\"open'",
    ] {
        refused(wrong, "Expected: ");
    }
}

#[test]
fn timestamps() {
    let times = [
        ("@1970-01-01", 0),
        ("@1970-01-02", 86_400 * SECOND),
        ("@00:00:10", 10 * SECOND),
        ("@00:00:10.5", 10 * SECOND + SECOND / 2),
        ("@1970-01-01T00:01:00", 60 * SECOND),
        ("@1970-01-01T00:00:00.000000001", 1),
        ("@1970-01-01T00:00:00.000", 0),
        ("@1969-12-31T23:59:59", -SECOND),
        ("@now()", 60 * SECOND),
        ("@now() - 10s", 50 * SECOND),
        ("@now()-10s", 50 * SECOND),
        ("@now() \n+\t1m", 120 * SECOND),
        ("@now() + 500Y", i64::MAX),
        ("@now() - 500Y", i64::MIN),
        ("@0001-01-01", i64::MIN),
        ("@9999-01-01", i64::MAX),
    ];
    for (text, value) in times {
        assert_eq!(literal(text), Ok(Literal::Timestamp(value)), "{text}");
    }
    let wrong = [
        "@",
        "@1970",
        "@1970-1-1",
        "@1970-13-01",
        "@1970-02-30",
        "@24:00:00",
        "@00:00",
        "@00:00:60",
        "@00:00:00.",
        "@00:00:00.0000000001",
        "@1970-01-01T00:00:00Z",
        "@1970-01-01T00:00:00+01:00",
        "@1970-01-01 00:00:00",
        "@now",
        "@now() + 5",
        "@now() +",
        "@tomorrow",
    ];
    for text in wrong {
        refused(text, "Expected: ");
    }
}

#[test]
fn now_is_the_same_in_a_whole_query() {
    let query =
        parse("{ get a:b | filter timestamp > @now() ; get a:b | filter timestamp > @now() - 0s }", now());
    let text = query.unwrap().to_string();
    assert_eq!(text.matches("@1970-01-01T00:01:00").count(), 2, "{text}");
}
