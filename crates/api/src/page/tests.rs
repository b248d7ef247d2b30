use proptest::prelude::*;

use super::*;
use crate::project::ProjectSelector;

type Query = PageQuery<ProjectSelector, NameOrIdSortMode>;

struct Item(Uuid, String);

impl Listed for Item {
    fn id(&self) -> Uuid {
        self.0
    }

    fn name(&self) -> &str {
        &self.1
    }
}

fn parse(pairs: &[(&str, &str)]) -> Result<Query, String> {
    let pairs: Vec<_> = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Query::parse(&pairs).map_err(|error| error.to_string())
}

#[test]
fn defaults() {
    let query = parse(&[("project", "web")]).unwrap();
    assert_eq!((query.limit, query.sort, query.after), (100, NameOrIdSortMode::NameAscending, None));
    assert_eq!(query.selector.project.to_string(), "web");
}

#[test]
fn optional_selectors() {
    type Query = PageQuery<crate::project::OptionalProjectSelector, NameOrIdSortMode>;
    assert!(Query::parse(&[]).unwrap().selector.project.is_none());
    let query = Query::parse(&[("project".into(), "web".into()), ("unknown".into(), "x".into())]).unwrap();
    assert_eq!(query.selector.project.unwrap().to_string(), "web");
}

#[test]
fn limits() {
    let limit = |text| parse(&[("project", "web"), ("limit", text)]).map(|query| query.limit);
    assert_eq!(limit("7"), Ok(7));
    assert_eq!(limit("10001"), Ok(10_000));
    let failed = |reason: &str| Err(format!("unable to parse query string: {reason}"));
    assert_eq!(limit("0"), failed("invalid value: integer `0`, expected a nonzero u32"));
    assert_eq!(limit("-1"), failed("invalid digit found in string"));
    assert_eq!(limit("4294967296"), failed("number too large to fit in target type"));
}

#[test]
fn selector_errors() {
    assert_eq!(parse(&[]).unwrap_err(), "unable to parse query string: missing field `project`");
    assert_eq!(
        parse(&[("project", "a"), ("project", "b")]).unwrap_err(),
        "unable to parse query string: duplicate field `project`"
    );
    assert_eq!(
        parse(&[("project", "a"), ("limit", "1"), ("limit", "1")]).unwrap_err(),
        "unable to parse query string: duplicate field `limit`"
    );
    let error = parse(&[("project", "a"), ("sort_by", "size")]).unwrap_err();
    assert!(error.starts_with("unable to parse query string: unknown variant `size`"), "{error}");
}

#[test]
fn a_token_carries_the_scan() {
    let first = parse(&[("project", "web"), ("sort_by", "name_descending"), ("limit", "2")]).unwrap();
    let page =
        first.results(vec![Item(Uuid::from_u128(1), "b".into()), Item(Uuid::from_u128(2), "a".into())]);
    let token = page.next_page.unwrap();
    let second = parse(&[("page_token", &token), ("project", "ignored"), ("limit", "5")]).unwrap();
    assert_eq!(second.selector.project.to_string(), "web");
    assert_eq!(second.sort, NameOrIdSortMode::NameDescending);
    assert_eq!(second.after, Some(Marker::Name("a".into())));
    assert_eq!(second.limit, 5);
    assert!(second.results(Vec::<Item>::new()).next_page.is_none());
}

#[test]
fn bad_tokens() {
    let token = |text: &str| parse(&[("page_token", text)]).unwrap_err();
    let prefix = "unable to parse query string: failed to parse pagination token:";
    assert_eq!(token(&"A".repeat(513)), format!("{prefix} too large"));
    assert!(token("***").starts_with(prefix));
    assert_eq!(token(&URL_SAFE.encode("{}")), format!("{prefix} corrupted token"));
    let other = r#"{"v":"v1","page_start":{"sort_by":"id_ascending","project":"web","last_seen":"web"}}"#;
    assert_eq!(token(&URL_SAFE.encode(other)), "invalid page token");
}

proptest! {
    #[test]
    fn nothing_panics(key in "limit|page_token|sort_by|project", value in ".{0,600}") {
        let _ = parse(&[(&key, &value), ("project", "web")]);
        let _ = parse(&[("page_token", &URL_SAFE.encode(value))]);
    }
}
