//! Queries of timeseries: visible data and errors.

use std::{num::NonZeroU8, sync::Arc};

use croft_api::{
    Error, Result,
    page::{NoSelector, PageQuery},
    timeseries::{OxqlQueryResult, TimeseriesSortMode},
};
use croft_control::timeseries::{self, QueryScope};
use croft_oxql::{
    Memory, Series, Source, SourceError, Window,
    model::{
        Datum, DatumType, Description, FieldSchema, FieldSource, FieldType, FieldValue, Points, Sample,
        Schema, Scope, TimeseriesName, Units,
    },
};
use croft_store::records::{Resources, Role, RoleIdentity, RoleScope};
use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::kit::{Cloud, GIB, User, by_name, refused};

const NOW: &str = "2026-01-01T00:01:00Z";

fn schema(name: &str, datum_type: DatumType, fields: &[(&str, FieldType, FieldSource)]) -> Schema {
    Schema {
        name: name.parse().unwrap(),
        version: NonZeroU8::MIN,
        description: Description { target: "A machine".into(), metric: "Its use".into() },
        fields: fields
            .iter()
            .map(|(name, field_type, source)| FieldSchema {
                name: (*name).into(),
                field_type: *field_type,
                source: *source,
                description: format!("The {name}"),
            })
            .collect(),
        datum_type,
        units: Units::Nanoseconds,
        scope: Scope::Project,
        created: Timestamp::UNIX_EPOCH,
    }
}

fn usage() -> Schema {
    let target = |name| (name, FieldType::Uuid, FieldSource::Target);
    let fields = [
        target("instance_id"),
        target("project_id"),
        target("silo_id"),
        ("vcpu_id", FieldType::U32, FieldSource::Metric),
    ];
    schema("virtual_machine:vcpu_usage", DatumType::CumulativeU64, &fields)
}

/// Two projects of one silo and one of another, with measurements of two instances in each.
struct Fixture {
    cloud: Cloud,
    own: Uuid,
    other: Uuid,
    memory: Memory,
}

fn fixture() -> Fixture {
    let mut cloud = Cloud::new();
    let (own, other) = (cloud.project("web").id, cloud.project("shop").id);
    let silo = cloud.admin.silo;
    let foreign_silo = cloud.silo("other", Resources { cpus: 9, memory: 9 * GIB, storage: 9 * GIB });
    let mut memory = Memory::default();
    memory.define(usage());
    let target = ("id", FieldType::Uuid, FieldSource::Target);
    memory.define(schema("collection_target:cpus_provisioned", DatumType::I64, &[target]));
    memory.define(schema("a_thing:never_measured", DatumType::F64, &[target]));
    let start = second(0);
    for (number, project, silo) in [(1, own, silo), (2, own, silo), (3, other, silo), (4, own, foreign_silo)]
    {
        for (step, value) in [(1, 10), (2, 30), (3, 60)] {
            let fields = [Uuid::from_u128(number), project, silo].map(FieldValue::from);
            let sample = Sample {
                fields: fields.into_iter().chain([0_u32.into()]).collect(),
                timestamp: second(step * 5),
                start_time: Some(start),
                datum: Some(Datum::Unsigned(value)),
            };
            memory.insert(&usage().name, sample).unwrap();
        }
    }
    let sample = Sample {
        fields: vec![own.into()],
        timestamp: start,
        start_time: None,
        datum: Some(Datum::Integer(4)),
    };
    memory.insert(&"collection_target:cpus_provisioned".parse().unwrap(), sample).unwrap();
    Fixture { cloud, own, other, memory }
}

/// This number of seconds after the start of 2026, in nanoseconds.
fn second(seconds: i64) -> i64 {
    (1_767_225_600 + seconds) * 1_000_000_000
}

impl Fixture {
    fn scope(&self, user: &User, project: Option<&'static str>) -> Result<QueryScope> {
        self.cloud.see(user, move |cx, caller| match project {
            Some(project) => timeseries::of_project(cx, caller, &by_name(project)),
            None => timeseries::of_system(cx, caller),
        })
    }

    fn query(&self, project: Option<&'static str>, text: &str) -> Result<OxqlQueryResult> {
        let scope = self.scope(&self.cloud.admin, project).unwrap();
        timeseries::query(&self.memory, scope, text, NOW.parse().unwrap(), &|| false)
    }

    /// The number of timeseries of each table.
    fn sizes(&self, project: Option<&'static str>, text: &str) -> Vec<usize> {
        let answer = self.query(project, text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        answer.tables.iter().map(|table| table.timeseries.len()).collect()
    }
}

const ALL: &str = "get virtual_machine:vcpu_usage";

#[test]
fn project_sees_only_its_own_timeseries() {
    let fixture = fixture();
    assert_eq!(fixture.sizes(Some("web"), ALL), [2]);
    assert_eq!(fixture.sizes(Some("shop"), ALL), [1]);
    assert_eq!(fixture.sizes(None, &format!("{ALL} | last 1")), [4]);
    let other = format!("{ALL} | filter project_id == \"{}\"", fixture.other);
    assert_eq!(fixture.sizes(Some("web"), &other), [0]);
    assert_eq!(fixture.sizes(Some("web"), &format!("{other} || project_id == \"{}\"", fixture.own)), [2]);
    let grouped = format!("{ALL} | align mean_within(5s) | group_by [project_id], sum");
    assert_eq!(fixture.sizes(Some("web"), &grouped), [1]);
    assert_eq!(fixture.sizes(Some("web"), &format!("{{ {ALL}; {{ {ALL} | last 1 }} }} | first 1")), [2, 2]);
    let joined = format!("{{ {ALL}; {ALL} }} | align mean_within(5s) | join");
    assert_eq!(fixture.sizes(Some("web"), &joined), [2]);
}

#[test]
fn schema_without_project_is_not_visible() {
    let fixture = fixture();
    let name = "get collection_target:cpus_provisioned";
    let (status, text) = refused(fixture.query(Some("web"), name));
    assert_eq!(status, 400);
    assert!(
        text.contains(
            "Invalid identifiers: [\"silo_id\"], valid identifiers: [\"datum\", \"id\", \"timestamp\"]"
        ),
        "{text}"
    );
    assert_eq!(fixture.sizes(None, &format!("{name} | last 1")), [1]);
}

#[test]
fn rights_are_those_of_the_project() {
    let mut fixture = fixture();
    let silo = fixture.cloud.admin.silo;
    let user = fixture.cloud.user(silo, "ada");
    let missing = (404, "not found: project with name \"web\"".to_owned());
    assert_eq!(refused(fixture.scope(&user, Some("web"))), missing);
    assert_eq!(refused(fixture.scope(&user, None)), (403, "Forbidden".to_owned()));
    fixture.cloud.grant(RoleIdentity::User(user.id), RoleScope::Project(fixture.own), Role::Viewer);
    assert!(fixture.scope(&user, Some("web")).is_ok());
    assert_eq!(refused(fixture.scope(&user, Some("shop"))).0, 404);
    assert_eq!(refused(fixture.scope(&user, Some("nowhere"))).0, 404);
}

#[test]
fn query_errors_are_returned() {
    let fixture = fixture();
    for (text, fragment) in [
        ("get", "Error at 1:4"),
        ("get virtual_machine:vcpu_usage", "This query requires at least one full table scan."),
        ("get virtual_machine:unknown | last 1", "Timeseries not found for: virtual_machine:unknown"),
        (
            "get virtual_machine:vcpu_usage | filter vcpu_id == 'x'",
            "which is not compatible with the expected type \"integer\"",
        ),
        (
            "get virtual_machine:vcpu_usage | filter timestamp > @2026-01-01T00:00:40 | align mean_within(5s) | group_by []",
            "Input tables to a `group_by` must be aligned",
        ),
    ] {
        match fixture.query(None, text) {
            Err(Error::InvalidRequest(found)) => assert!(found.contains(fragment), "{found}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    // A timeseries that is defined but was never measured is empty.
    assert_eq!(fixture.sizes(None, "get a_thing:never_measured | last 1"), [0]);
}

/// A source that fails every request.
struct Broken;

impl Source for Broken {
    fn schema(&self, _: &TimeseriesName) -> Result<Option<Arc<Schema>>, SourceError> {
        Ok(Some(Arc::new(usage())))
    }

    fn stored_schemas(&self, _: Option<&TimeseriesName>, _: usize) -> Result<Vec<Arc<Schema>>, SourceError> {
        Err(SourceError::Unavailable("the disk is gone".into()))
    }

    fn series(&self, _: &Schema, _: &[(usize, FieldValue)]) -> Result<Vec<Series>, SourceError> {
        Err(SourceError::Unavailable("the disk is gone".into()))
    }

    fn points(&self, _: &Schema, _: &Series, _: &Window, _: usize) -> Result<Points, SourceError> {
        Err(SourceError::Unavailable("the disk is gone".into()))
    }
}

fn first_page(limit: u32) -> PageQuery<NoSelector, TimeseriesSortMode> {
    PageQuery { selector: NoSelector {}, sort: TimeseriesSortMode::NameAscending, after: None, limit }
}

#[test]
fn store_errors_and_slow_queries_are_reported_as_unavailable() {
    let fixture = fixture();
    let scope = fixture.scope(&fixture.cloud.admin, None).unwrap();
    let (text, now) = (format!("{ALL} | last 1"), NOW.parse().unwrap());
    let broken = timeseries::query(&Broken, scope, &text, now, &|| false);
    assert!(matches!(broken, Err(Error::Unavailable { .. })), "{broken:?}");
    assert!(matches!(timeseries::schemas(&Broken, &first_page(9)), Err(Error::Unavailable { .. })));
    let slow = timeseries::query(&fixture.memory, scope, &text, now, &|| true);
    assert!(matches!(slow, Err(Error::Unavailable { .. })), "{slow:?}");
}

#[test]
fn results_have_the_wire_format() {
    let fixture = fixture();
    let text = format!("{ALL} | filter instance_id == \"{}\" | first 2", Uuid::from_u128(1));
    let answer = serde_json::to_value(fixture.query(Some("web"), &text).unwrap()).unwrap();
    let timeseries = answer["tables"][0]["timeseries"].as_object().unwrap();
    let (key, series) = timeseries.iter().next().unwrap();
    assert!(key.parse::<u64>().is_ok());
    assert_eq!(answer["tables"][0]["name"], "virtual_machine:vcpu_usage");
    assert_eq!(
        *series,
        json!({
            "fields": {
                "instance_id": { "type": "uuid", "value": Uuid::from_u128(1) },
                "project_id": { "type": "uuid", "value": fixture.own },
                "silo_id": { "type": "uuid", "value": fixture.cloud.admin.silo },
                "vcpu_id": { "type": "u32", "value": 0 },
            },
            "points": {
                "start_times": ["2026-01-01T00:00:00Z", "2026-01-01T00:00:05Z"],
                "timestamps": ["2026-01-01T00:00:05Z", "2026-01-01T00:00:10Z"],
                "values": [{ "metric_type": "delta", "values": { "type": "integer", "values": [10, 20] } }],
            },
        })
    );
    let aligned =
        format!("{ALL} | align mean_within(10s) | filter timestamp > @2026-01-01T00:00:39 | last 1");
    let answer = serde_json::to_value(fixture.query(Some("shop"), &aligned).unwrap()).unwrap();
    let points = answer
        .pointer("/tables/0/timeseries")
        .and_then(Value::as_object)
        .unwrap()
        .values()
        .next()
        .map(|one| one["points"].clone());
    assert_eq!(points, None, "{answer}");
    let aligned = format!("{ALL} | align mean_within(10s) | last 5");
    let answer = serde_json::to_value(fixture.query(Some("shop"), &aligned).unwrap()).unwrap();
    let series = answer["tables"][0]["timeseries"].as_object().unwrap().values().next().unwrap();
    assert_eq!(series["points"]["start_times"], Value::Null);
    assert_eq!(
        series["points"]["values"],
        json!([{ "metric_type": "gauge", "values": { "type": "double", "values": [30.0, null, null, null, null] } }])
    );
}

#[test]
fn schemas_with_samples_are_listed_by_name() {
    let fixture = fixture();
    let list = |query: &PageQuery<_, _>| timeseries::schemas(&fixture.memory, query).unwrap();
    let names: Vec<_> = list(&first_page(9)).into_iter().map(|schema| schema.timeseries_name).collect();
    assert_eq!(names, ["collection_target:cpus_provisioned", "virtual_machine:vcpu_usage"]);
    let first = first_page(1).results(list(&first_page(1)));
    let pairs = [("limit".to_owned(), "1".to_owned()), ("page_token".to_owned(), first.next_page.unwrap())];
    let next = PageQuery::parse(&pairs).unwrap();
    let second = next.results(list(&next));
    assert_eq!(
        serde_json::to_value(&second.items[0]).unwrap(),
        json!({
            "authz_scope": "project",
            "created": "1970-01-01T00:00:00Z",
            "datum_type": "cumulative_u64",
            "description": { "metric": "Its use", "target": "A machine" },
            "field_schema": [
                { "description": "The instance_id", "field_type": "uuid", "name": "instance_id", "source": "target" },
                { "description": "The project_id", "field_type": "uuid", "name": "project_id", "source": "target" },
                { "description": "The silo_id", "field_type": "uuid", "name": "silo_id", "source": "target" },
                { "description": "The vcpu_id", "field_type": "u32", "name": "vcpu_id", "source": "metric" },
            ],
            "timeseries_name": "virtual_machine:vcpu_usage",
            "units": "nanoseconds",
            "version": 1,
        })
    );
    let pairs = [("page_token".to_owned(), second.next_page.unwrap())];
    assert!(list(&PageQuery::parse(&pairs).unwrap()).is_empty());
}
