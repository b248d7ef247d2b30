use croft_oxql::{
    LONGEST_QUERY, SyntaxError,
    language::{Filter, Operation},
    parse,
};

use crate::kit::now;

fn printed(text: &str) -> String {
    parse(text, now()).unwrap_or_else(|error| panic!("{text}: {error}")).to_string()
}

fn refused(text: &str) -> String {
    match parse(text, now()) {
        Ok(query) => panic!("{text:?} was read as {query}"),
        Err(error) => error.to_string(),
    }
}

/// A condition with every operator in parentheses.
fn bracketed(filter: &Filter) -> String {
    let join = |operands: &[Filter], operator: &str| {
        format!("({})", operands.iter().map(bracketed).collect::<Vec<_>>().join(operator))
    };
    match filter {
        Filter::Compare(comparison) => comparison.identifier.clone(),
        Filter::Not(inner) => format!("!{}", bracketed(inner)),
        Filter::All(operands) => join(operands, "&"),
        Filter::Any(operands) => join(operands, "|"),
        Filter::Odd(operands) => join(operands, "^"),
    }
}

fn filter(text: &str) -> String {
    match &parse(&format!("get a:b | filter {text}"), now()).unwrap().operations[..] {
        [Operation::Filter(filter)] => bracketed(filter),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_operation_is_parsed() {
    let queries = [
        ("get a:b", "get a:b"),
        ("  get\n\ta:b  ", "get a:b"),
        ("get a1_b2:c_3d", "get a1_b2:c_3d"),
        ("get a:b|first 5", "get a:b | first 5"),
        ("get a:b | last 0x10", "get a:b | last 16"),
        ("get a:b | align mean_within(1m)", "get a:b | align mean_within(1m)"),
        ("get a:b | align interpolate(10s)", "get a:b | align interpolate(10s)"),
        ("get a:b | group_by []", "get a:b | group_by [], mean"),
        ("get a:b | group_by [,]", "get a:b | group_by [], mean"),
        ("get a:b | group_by [x]", "get a:b | group_by [x], mean"),
        ("get a:b | group_by [ x , y ], sum", "get a:b | group_by [x, y], sum"),
        ("get a:b | group_by [x,y,],mean", "get a:b | group_by [x, y], mean"),
        ("{get a:b;get c:d}", "{ get a:b; get c:d }"),
        ("{ get a:b }", "{ get a:b }"),
        (
            "{ { get a:b ; get c:d | first 1 } | join ; get e:f } | last 2 ",
            "{ { get a:b; get c:d | first 1 } | join; get e:f } | last 2",
        ),
        ("get a:b | filter x==1", "get a:b | filter x == 1"),
    ];
    for (text, expected) in queries {
        assert_eq!(printed(text), expected);
    }
}

#[test]
fn syntax_errors_are_refused() {
    let wrong = [
        "",
        "get",
        "get a",
        "geta:b",
        "get a :b",
        "get a: b",
        "get A:b",
        "get a_:b",
        "get 1a:b",
        "get a:b,c:d",
        "get a:b |",
        "| get a:b",
        "get a:b | | first 1",
        "get a:b || first 1",
        "get a:b first 1",
        "get a:b;",
        "get a:b | first",
        "get a:b | first5",
        "get a:b | first x",
        "get a:b | limit 5",
        "get a:b | FIRST 5",
        "get a:b | first 5m",
        "get a:b | joinx",
        "get a:b | join 1",
        "get a:b | group_by[x]",
        "get a:b | group_by x",
        "get a:b | group_by [x y]",
        "get a:b | group_by [x,,y]",
        "get a:b | group_by [x ,]",
        "get a:b | group_by [,x]",
        "get a:b | group_by [x] , sum",
        "get a:b | group_by [x], max",
        "get a:b | group_by [x",
        "get a:b | group_by [x], sumx",
        "get a:b | align",
        "get a:b | align mean_within",
        "get a:b | align mean_within (1m)",
        "get a:b | align mean_within( 1m)",
        "get a:b | align mean_within(1m )",
        "get a:b | align mean_within(60)",
        "get a:b | align mean_within(0s)",
        "get a:b | alignmean_within(1m)",
        "get a:b | align mean(1m)",
        "{}",
        "{ }",
        "{ get a:b",
        "get a:b }",
        "{ get a:b; }",
        "{ ; get a:b }",
        "{ first 1 }",
        "{get a:b}{get c:d}",
        "get a:b | filter",
        "get a:b | filter x",
        "get a:b | filter x =",
        "get a:b | filter x = 1",
        "get a:b | filter 1 == x",
        "get a:b | filter x == y",
        "get a:b | filterx == 1",
        "get a:b | filter (x == 1",
        "get a:b | filter x == 1)",
        "get a:b | filter ()",
        "get a:b | filter !",
        "get a:b | filter x == 1 &&",
        "get a:b | filter x == 1 & y == 1",
        "get a:b | filter x == 1 and y == 1",
        "get a:b | filter X == 1",
        "get a:b | filter x =! 1",
        "get a:b\r| first 1",
        "get a:b\u{a0}| first 1",
        "get a:b # why",
        "get a:b | filter x === 1",
    ];
    for text in wrong {
        let error = refused(text);
        assert!(error.starts_with("Error at "), "{text:?}: {error}");
    }
}

#[test]
fn operators_have_the_documented_precedence() {
    assert_eq!(filter("a == 1 || b == 1 && c == 1 ^ d == 1"), "(a|(b&(c^d)))");
    assert_eq!(filter("a == 1 ^ b == 1 && c == 1 || d == 1"), "(((a^b)&c)|d)");
    assert_eq!(filter("(a == 1 || b == 1) && c == 1"), "((a|b)&c)");
    assert_eq!(filter("!a == 1 && b == 1"), "(!a&b)");
    assert_eq!(filter("!(a == 1 && b == 1)"), "!(a&b)");
    assert_eq!(filter("! !\n!a == 1"), "!!!a");
    assert_eq!(filter("a==1||b==1||c==1"), "(a|b|c)");
    assert_eq!(filter("a==1&&(b==1&&c==1)"), "(a&(b&c))");
    assert_eq!(filter("( a == 1 )"), "a");
    assert_eq!(filter("a>=1&&b<=1&&c>1&&d<1&&e!=1&&f~='x'"), "(a&b&c&d&e&f)");
}

#[test]
fn regular_expression_must_be_a_string() {
    let only = "~= comparison is only supported for string literals";
    for literal in
        ["1", "1.0", "true", "5m", "@now()", "\"10.0.0.1\"", "\"0190f5f8-7a5d-7000-8000-00000000002a\""]
    {
        assert!(refused(&format!("get a:b | filter x ~= {literal}")).contains(only), "{literal}");
    }
    assert_eq!(printed("get a:b | filter x ~= \"^a.*\""), "get a:b | filter x ~= '^a.*'");
}

#[test]
fn get_is_only_allowed_at_the_start() {
    let only = "every subquery must start with a `get` operation";
    for text in [
        "get a:b | get c:d",
        "first 1",
        "filter x == 1",
        "join",
        "{ first 1 }",
        "{ get a:b } | get c:d",
        "{ get a:b; last 1 }",
        "get a:b | { get c:d }",
        "get a:b | filter x == 1 | {get c:d; get e:f}",
    ] {
        assert!(refused(text).contains(only), "{text}: {}", refused(text));
    }
}

#[test]
fn limit_must_be_positive() {
    for text in ["first 0", "last 0", "first -1", "last -0x1"] {
        assert!(
            refused(&format!("get a:b | {text}")).contains("limit count must be a nonzero usize"),
            "{text}"
        );
    }
}

#[test]
fn query_length_excludes_surrounding_whitespace() {
    let filler = "a".repeat(LONGEST_QUERY - "get :b".len());
    let longest = format!("get {filler}:b");
    assert_eq!(longest.len(), LONGEST_QUERY);
    assert!(parse(&format!("  {longest}\r\n  "), now()).is_ok());
    let error = parse(&format!("{longest}b"), now()).unwrap_err();
    assert_eq!(error, SyntaxError::TooLong);
    assert_eq!(error.to_string(), "Queries must be <= 4096 characters");
    let bytes = format!("get a:b | filter x == '{}'", "ä".repeat(2048));
    assert_eq!(parse(&bytes, now()), Err(SyntaxError::TooLong));
}

#[test]
fn nesting_is_bounded() {
    let nested = |open: &str, close: &str, inner: &str, times: usize| {
        format!("{}{inner}{}", open.repeat(times), close.repeat(times))
    };
    let filter = |text: String| format!("get a:b | filter {text}");
    assert!(parse(&filter(nested("(", ")", "x == 1", 100)), now()).is_ok());
    assert!(parse(&nested("{", "}", "get a:b", 100), now()).is_ok());
    for text in [
        filter(nested("(", ")", "x == 1", 2000)),
        filter(nested("!", "", "x == 1", 4000)),
        filter("(".repeat(4000)),
        nested("{", "}", "get a:b", 2000),
        "{".repeat(4096),
    ] {
        assert!(refused(&text).contains("at most 100 levels of nesting"));
    }
    // A long chain of operands has no nesting.
    assert!(parse(&filter(vec!["x==1"; 600].join("||")), now()).is_ok());
}
