//! Queries that are refused before any data is read.

use crate::kit::Samples;

const FULL_SCAN: &str = "This query requires at least one full table scan. Please rewrite the query to filter either the \
                         fields or timestamps, in order to reduce the amount of data fetched from the database.";

#[test]
fn a_full_scan_is_refused() {
    let samples = Samples::new();
    for query in [
        "get thing:level",
        "get thing:count | filter datum > 5",
        "get thing:count | filter datum > 5 || slot == 1",
        "get thing:count | filter !(datum > 5 && slot == 1)",
        "get thing:level | align mean_within(1s)",
        "get thing:level | align mean_within(1s) | filter datum > 5.0",
        "get thing:level | align mean_within(1s) | last 5",
        "get thing:count | filter datum > 5 | last 5",
        "get thing:level | align mean_within(1s) | group_by [name] | filter datum > 5.0",
        "{ get thing:level | last 1; get thing:count }",
        "{ get thing:level; get thing:count } | filter datum > 5.0 || slot == 1 | align mean_within(1s)",
    ] {
        let error = samples.tables(query).map(|_| ()).map_err(|error| error.to_string());
        let expected =
            if query.contains("{ get thing:level; get thing:count }") {
                // The only table has no such values.
                assert!(error.unwrap_err().contains(
                    "has type \"double\" which is not compatible with the expected type \"integer\""
                ));
                continue;
            } else {
                Err(FULL_SCAN.to_owned())
            };
        assert_eq!(error, expected, "{query}");
    }
}

#[test]
fn any_restriction_of_the_scan_is_enough() {
    let samples = Samples::new();
    for query in [
        "get thing:level | last 5",
        "get thing:level | first 5",
        "get thing:level | filter slot == 1",
        "get thing:level | filter slot != 1",
        "get thing:level | filter name ~= 'a'",
        "get thing:level | filter timestamp > @now() - 5m",
        "get thing:level | filter datum > 5.0",
        "get thing:level | filter datum > 5.0 || slot == 1",
        "get thing:count | filter start_time > @00:00:00",
        "get thing:count | filter datum > 5 && slot == 1",
        "get thing:count | filter datum > 5 ^ slot == 1",
        "get thing:count | filter slot == 2 || datum > 5 && slot == 1",
        "get thing:count | filter datum > 5 | filter slot == 1",
        "get thing:count | last 5 | filter datum > 5",
        "get thing:level | align mean_within(1s) | filter slot == 1",
        "get thing:level | align mean_within(1s) | filter timestamp > @00:00:00 && datum > 5.0",
        "get thing:level | align mean_within(1s) | group_by [name] | filter name == 'a'",
        "get thing:level | align mean_within(1s) | group_by [name] | filter timestamp > @00:00:00",
        "{ get thing:level; get thing:count } | filter slot == 1",
        "{ get thing:level; get thing:count } | last 1",
        "{ get thing:level; get other:level } | align mean_within(1s) | join | filter slot == 1",
        "{ { get thing:level }; { get thing:level | first 1 } | last 1 } | filter timestamp < @00:00:10",
    ] {
        if let Err(error) = samples.tables(query) {
            panic!("{query}: {error}");
        }
    }
}

#[test]
fn filter_identifiers_must_exist_in_the_table() {
    let samples = Samples::new();
    let invalid = |query: &str, table: &str, valid: &str| {
        let error = samples.error(query);
        let first = error.lines().next().unwrap();
        assert!(
            first.starts_with("The filter expression \"")
                && first.ends_with("\" is not valid, the following errors were encountered"),
            "{error}"
        );
        let line = format!(
            "The filter expression refers to identifiers that are not valid for its input table \"{table}\". Invalid \
             identifiers: [\"x\"], valid identifiers: {valid}"
        );
        assert_eq!(error.lines().nth(1), Some(line.as_str()), "{error}");
    };
    invalid("get thing:level | filter x == 1", "thing:level", r#"["datum", "name", "slot", "timestamp"]"#);
    invalid(
        "get thing:count | filter x == 1",
        "thing:count",
        r#"["datum", "name", "slot", "start_time", "timestamp"]"#,
    );
    invalid(
        "get thing:sizes | filter x == 1",
        "thing:sizes",
        r#"["name", "slot", "start_time", "timestamp"]"#,
    );
    invalid(
        "get thing:count | last 1 | align mean_within(1s) | group_by [slot] | filter x == 1",
        "thing:count",
        r#"["datum", "slot", "timestamp"]"#,
    );
    // Aligned points have no start time, and grouped series have only the fields of the group.
    for query in [
        "get thing:count | last 1 | align mean_within(1s) | filter start_time > @00:00:00",
        "get thing:level | filter start_time > @00:00:00",
        "get thing:level | last 1 | align mean_within(1s) | group_by [name] | filter slot == 1",
        "get thing:sizes | filter datum == 1",
        "{ get thing:count; get thing:level } | filter start_time > @00:00:00",
    ] {
        assert!(samples.error(query).contains("refers to identifiers that are not valid"), "{query}");
    }
}

#[test]
fn parts_of_distributions_cannot_be_filtered() {
    let samples = Samples::new();
    for part in
        ["bins", "counts", "min", "max", "sum_of_samples", "squared_mean", "p50", "p99_marker_heights"]
    {
        let text = format!("Filtering on the special identifier \"{part}\" is not yet supported");
        assert!(samples.error(&format!("get thing:sizes | filter {part} == 1")).contains(&text));
    }
    assert!(samples.error("get thing:level | filter min == 1.0").contains("Invalid identifiers: [\"min\"]"));
}

#[test]
fn literals_must_have_the_type_of_the_compared_identifier() {
    let samples = Samples::new();
    for (table, filter, found, expected) in [
        ("thing:level", "datum > 1", "integer", "double"),
        ("thing:state", "datum > 1.0", "double", "integer"),
        ("thing:state", "datum > 5m", "duration", "integer"),
        ("thing:label", "datum == 1", "integer", "string"),
        ("thing:on", "datum == 'true'", "string", "boolean"),
        ("thing:level", "slot == 1.0", "double", "integer"),
        ("thing:level", "name == \"10.0.0.1\"", "ip_addr", "string"),
        ("thing:level", "name == \"0190f5f8-7a5d-7000-8000-00000000002a\"", "uuid", "string"),
        ("thing:level", "timestamp > 5", "integer", "timestamp"),
        ("thing:count", "start_time > 5m", "duration", "timestamp"),
        ("rich:state", "id == 'x'", "string", "uuid"),
        ("rich:state", "address == 'x'", "string", "ip_addr"),
        ("rich:state", "yes == 1", "integer", "boolean"),
        ("rich:state", "small ~= '1'", "string", "integer"),
    ] {
        let error = samples.error(&format!("get {table} | filter {filter}"));
        let identifier = filter.split(' ').next().unwrap();
        let line = format!(
            "Filter expression for identifier \"{identifier}\" has type \"{found}\" which is not compatible with the \
             expected type \"{expected}\""
        );
        assert!(error.contains(&line), "{filter}: {error}");
    }
}

#[test]
fn errors_in_conditions_are_reported() {
    let error = Samples::new().error("get thing:level | filter x == 1 && datum > 1 || y == 2 ^ slot == 'a'");
    assert_eq!(error.lines().count(), 4, "{error}");
    assert!(error.contains("[\"x\", \"y\"]"), "{error}");
}

#[test]
fn booleans_have_no_order() {
    let error = Samples::new().error("get thing:on | filter datum < true");
    assert!(
        error.contains("The operator \"<\" cannot be used for identifier \"datum\" of type \"boolean\""),
        "{error}"
    );
}

#[test]
fn regular_expressions_must_be_valid_and_small() {
    let samples = Samples::new();
    for pattern in ["(", "a{2,1}", "(((a{100}){100}){100}){100}", "[z-a]"] {
        let error = samples.error(&format!("get thing:level | filter name ~= '{pattern}'"));
        assert!(error.contains("The regular expression for identifier \"name\" is not valid"), "{error}");
    }
}

#[test]
fn invalid_alignments_and_groupings_are_refused() {
    let samples = Samples::new();
    for (query, text) in [
        (
            "get thing:level | last 1 | align interpolate(1s)",
            "Alignment via interpolation is not yet implemented",
        ),
        (
            "get thing:label | last 1 | align mean_within(1s)",
            "Tables with 'string' data types cannot be aligned",
        ),
        (
            "get thing:on | last 1 | align mean_within(1s)",
            "Tables with 'boolean' data types cannot be aligned",
        ),
        (
            "get thing:sizes | last 1 | align mean_within(1s)",
            "Tables with 'integer_distribution' data types cannot be aligned",
        ),
        (
            "get thing:ratios | last 1 | align mean_within(1s)",
            "Tables with 'double_distribution' data types cannot be aligned",
        ),
        (
            "get thing:level | last 1 | group_by [name]",
            "Input table to a `group_by` table operation must be aligned, but table 'thing:level' is not aligned",
        ),
        (
            "get thing:level | last 1 | align mean_within(1s) | group_by [name, x]",
            "Cannot group by field 'x', which does not appear in the input tables. Valid fields are: [\"name\", \"slot\"]",
        ),
        ("get thing:raw | last 1", "Timeseries 'thing:raw' holds bytes, which cannot be queried"),
    ] {
        assert_eq!(samples.error(query), text);
    }
}

#[test]
fn filter_size_is_bounded() {
    let samples = Samples::new();
    let rows = |operator: &str, count: usize| vec!["slot==1"; count].join(operator);
    let filter = |text: String| {
        samples.tables(&format!("get thing:level | filter {text}")).map_err(|error| error.to_string())
    };
    let wide = "Logical expression is too complicated to simplify";
    let deep =
        "Maximum recursion level exceeded trying to simplify logical expression to disjunctive normal form";
    assert!(filter(rows("||", 32)).is_ok());
    assert_eq!(filter(rows("||", 33)), Err(wide.into()));
    assert!(filter(rows("&&", 300)).is_ok());
    assert_eq!(filter(rows("^", 8)), Err(wide.into()));
    assert!(filter(format!("{}slot == 1", "!".repeat(32))).is_ok());
    assert_eq!(filter(format!("{}slot == 1", "!".repeat(33))), Err(deep.into()));
    let either = "(slot == 1 || slot == 2)";
    assert!(filter([either; 5].join(" && ")).is_ok());
    assert_eq!(filter([either; 6].join(" && ")), Err(wide.into()));
    let separate = format!("{either} | filter ").repeat(5);
    assert_eq!(filter(format!("{separate}{either}")), Err(wide.into()));
}
