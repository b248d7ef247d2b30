//! The measurements that the demo starts with.

use std::sync::Arc;

use croft_control::{
    Caller, Cx, Request, SeededRandom,
    telemetry::{Collector, schema_of},
    timeseries,
};
use croft_oxql::{
    Source as _, Window,
    model::{Column, Points},
};
use croft_store::records::{Instance, Resources, Usage};
use jiff::SignedDuration;
use serde_json::Value;
use uuid::Uuid;

use crate::{Cloud, all, now, seeded};

impl Cloud {
    /// The result of a query of the administrator in the demo project.
    fn ask(&self, query: &str) -> Value {
        let (hannah, environment) = (self.demo.users[0].clone(), Arc::clone(&self.environment));
        let sight = self.database.read_blocking(move |tx| {
            let (mut random, request) = (SeededRandom::new([1; 32]), Request::default());
            let caller = Caller::assumed(hannah.id, hannah.silo_id);
            let project = serde_json::from_str("\"mock-project\"").unwrap();
            timeseries::of_project(
                &mut Cx::new(tx, now(), &mut random, &environment, &request),
                &caller,
                &project,
            )
        });
        let found = timeseries::query(&self.samples, sight.unwrap(), query, now(), &|| false).unwrap();
        serde_json::to_value(found).unwrap()
    }

    /// The values of a chart of db1 in the console: sums over timeseries, without the first one.
    fn chart(&self, metric: &str, instance_field: &str, more: &str, range: SignedDuration) -> Vec<f64> {
        let instances: Vec<Instance> = all(&self.database);
        let db1 = instances.iter().find(|instance| instance.name.as_str() == "db1").unwrap().meta.id;
        let period = range.as_secs() / 60;
        let time =
            |seconds: i64| (now() - SignedDuration::from_secs(seconds)).strftime("%Y-%m-%dT%H:%M:%S.000");
        let (begin, end) = (time(62 * period), time(0));
        let found = self.ask(&format!(
            "get {metric} | filter timestamp >= @{begin} && timestamp < @{end} && {instance_field} == \"{db1}\" {more} \
             | align mean_within({period}s) | group_by [{instance_field}], sum"
        ));
        let series = found["tables"][0]["timeseries"].as_object().unwrap();
        assert_eq!(series.len(), 1, "{found}");
        let values = &series.values().next().unwrap()["points"]["values"][0]["values"]["values"];
        let values: Vec<f64> =
            values.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
        assert!(values.len() > 60, "{values:?}");
        values[values.len() - 60..].to_vec()
    }

    /// All points of all timeseries of a counter.
    fn counters(&self, target: &str, metric: &str) -> Vec<Points> {
        let schema = schema_of(target, metric);
        let points = |series| self.samples.points(schema, &series, &Window::ALL, usize::MAX).unwrap();
        self.samples.series(schema, &[]).unwrap().into_iter().map(points).collect()
    }
}

const DAY: SignedDuration = SignedDuration::from_hours(24);
const HOUR: SignedDuration = SignedDuration::from_hours(1);

fn extremes(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::MAX, f64::MIN), |(least, most), value| (least.min(*value), most.max(*value)))
}

#[test]
fn processors_have_a_day_and_a_night() {
    let cloud = seeded(1);
    let percent = |range| -> Vec<f64> {
        let values = cloud.chart("virtual_machine:vcpu_usage", "instance_id", "&& state == \"run\"", range);
        // Two vCPUs, sampled every five seconds.
        values.iter().map(|value| value * 100.0 / (5e9 * 2.0)).collect()
    };
    let (least, most) = extremes(&percent(DAY));
    assert!(15.0 < least && least * 2.0 < most && most < 75.0, "{least} {most}");
    let hour = percent(HOUR);
    let (least, most) = extremes(&hour);
    assert!(15.0 < least && most < 75.0, "{hour:?}");
    assert!(hour.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 5.0), "{hour:?}");
}

#[test]
fn disks_and_interfaces_have_values_for_all_of_the_last_day() {
    let cloud = seeded(1);
    for (metric, field) in [
        ("virtual_disk:reads", "attached_instance_id"),
        ("virtual_disk:bytes_written", "attached_instance_id"),
        ("virtual_disk:flushes", "attached_instance_id"),
        ("instance_network_interface:bytes_sent", "instance_id"),
        ("instance_network_interface:packets_received", "instance_id"),
    ] {
        for range in [DAY, HOUR] {
            let values = cloud.chart(metric, field, "", range);
            let (least, most) = extremes(&values);
            assert!(0.0 < least && most < least * 5.0, "{metric}: {values:?}");
        }
    }
}

#[test]
fn the_collector_continues_backfilled_series() {
    let cloud = seeded(1);
    let mut collector = Collector::new(cloud.samples.clone(), Uuid::from_u128(1));
    collector.start(&cloud.database).unwrap();
    for seconds in (0..120).step_by(5) {
        let time = now() + SignedDuration::from_secs(seconds);
        collector.step(&cloud.database, time, &*cloud.hypervisor).unwrap();
    }
    for (target, metric, seconds) in [
        ("virtual_machine", "vcpu_usage", 5),
        ("virtual_disk", "bytes_read", 10),
        ("instance_network_interface", "bytes_sent", 10),
    ] {
        for points in cloud.counters(target, metric) {
            let Column::Unsigned(values) = &points.values else { panic!("{points:?}") };
            let (times, starts) = (&points.timestamps, points.start_times.as_ref().unwrap());
            assert!(times.windows(2).all(|pair| pair[1] - pair[0] == seconds * 1_000_000_000), "{metric}");
            assert!(starts.iter().all(|start| *start == starts[0]), "{metric}");
            assert!(values.windows(2).all(|pair| pair[0] <= pair[1]), "{metric}");
            let last = i64::try_from(now().as_nanosecond()).unwrap() + (120 - seconds) * 1_000_000_000;
            assert_eq!(times.last(), Some(&last), "{metric}");
            if metric == "vcpu_usage" {
                let faster =
                    values.windows(2).find(|pair| pair[1].unwrap() - pair[0].unwrap() > 5_000_000_000);
                assert_eq!(faster, None);
            }
        }
    }
}

#[test]
fn provisioning_samples_include_the_last_change() {
    let cloud = seeded(1);
    let series = |metric: &str| {
        let schema = schema_of("collection_target", metric);
        cloud.samples.series(schema, &[]).unwrap()
    };
    for usage in all::<Usage>(&cloud.database) {
        let Resources { cpus, memory, storage } = usage.used;
        for (metric, used) in [
            ("cpus_provisioned", cpus),
            ("ram_provisioned", memory),
            ("virtual_disk_space_provisioned", storage),
        ] {
            let of_it = series(metric).into_iter().find(|one| one.fields[0] == usage.meta.id.into());
            let schema = schema_of("collection_target", metric);
            let points = cloud.samples.points(schema, &of_it.unwrap(), &Window::ALL, usize::MAX).unwrap();
            let Column::Integer(values) = points.values else { panic!("{metric} must be an integer") };
            assert_eq!(values.last(), Some(&Some(i64::try_from(used).unwrap())), "{metric}");
        }
    }
    let changes =
        |metric| cloud.counters("collection_target", metric).iter().map(|one| one.timestamps.len()).max();
    assert!(changes("cpus_provisioned") > Some(10) && changes("virtual_disk_space_provisioned") > Some(1000));
}
