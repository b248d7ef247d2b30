//! Results of the search, and rebuilding of its index.

use croft_store::{
    Database, LabelTarget, Meta, Migration, Schema, Scope, StoreError, Tx,
    records::{Disk, IpPool, IpPoolRange, NetworkInterface, Project, VpcSubnet},
    schema::{self, CROFT},
    search::{Audience, SearchPosition, SearchQuery},
};
use postgres::SimpleQueryMessage;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::{
    engines::Engine,
    kinds, maker,
    postgres_server::PostgresServer,
    records::moment,
    tables::{read, write},
};

const SILO: Uuid = Uuid::from_u128(0xa0);
const PROJECT: Uuid = Uuid::from_u128(0xb0);
const OTHER: Uuid = Uuid::from_u128(0xb1);

fn example<R: DeserializeOwned>() -> R {
    maker::examples::<R>(0).remove(0)
}

fn meta(number: u128) -> Meta {
    // IDs that differ in their first digits.
    Meta::new(Uuid::from_u128((number << 96) | 0x4000_8000_0000_0000), moment(0))
}

fn disk(number: u128, project_id: Uuid, name: &str) -> Disk {
    let (name, description) = (name.parse().unwrap(), "Holds *orders*".into());
    Disk { meta: meta(number), silo_id: SILO, project_id, name, description, ..example() }
}

/// The results of a search, in order.
pub fn all(
    tx: &mut Tx<'_>,
    text: &str,
    audiences: &[Audience],
    wanted: usize,
) -> Result<Vec<String>, StoreError> {
    let query = SearchQuery::new(text);
    let (mut found, mut after) = (Vec::new(), Some(SearchPosition::default()));
    while let Some(place) = after {
        let batch = tx.search(&query, audiences, &place, wanted)?;
        found.extend(batch.hits.iter().map(|hit| {
            let name = hit.entry.field("name").unwrap_or(&hit.matched.text);
            format!("{:?} {} {name}", hit.matched.rank, hit.entry.kind)
        }));
        after = batch.next.map(|next| {
            let (text, last) = next.parts();
            SearchPosition::from_parts(&text, last).unwrap()
        });
    }
    Ok(found)
}

fn find(database: &Database, text: &str, audiences: &[Audience]) -> Vec<String> {
    let (text, audiences) = (text.to_owned(), audiences.to_vec());
    read(database, move |tx| {
        let found = all(tx, &text, &audiences, 100)?;
        for wanted in [1, 3] {
            assert_eq!(all(tx, &text, &audiences, wanted)?, found, "{text:?} in pages of {wanted}");
        }
        Ok(found)
    })
}

pub fn search_results_are_ordered_by_rank(engine: &dyn Engine) {
    let database = engine.open(&CROFT).unwrap();
    write(&database, |tx| {
        for (number, name) in
            ["web", "web-1", "web-10", "old-web", "cobweb", "webweb-web", "db"].iter().enumerate()
        {
            tx.insert(&disk(number as u128 + 1, PROJECT, name))?;
        }
        tx.insert(&Disk { description: "the Web's".into(), ..disk(8, PROJECT, "shop") })?;
        tx.insert(&disk(9, OTHER, "web"))
    })
    .unwrap();
    let of_project = [Audience::Project(PROJECT)];
    let expected = [
        "Exact disk web",
        "Prefix disk web-1",
        "Prefix disk web-10",
        "Prefix disk webweb-web",
        "Word disk old-web",
        "Part disk cobweb",
        "Text disk shop",
    ];
    assert_eq!(find(&database, "Web", &of_project), expected);
    assert_eq!(find(&database, "web", &[Audience::Project(OTHER)]), ["Exact disk web"]);
    let both = [Audience::Project(PROJECT), Audience::Project(OTHER)];
    assert_eq!(find(&database, "web", &both).len(), 8);
    let silo = [Audience::SiloViewers(SILO), Audience::Project(PROJECT)];
    assert_eq!(find(&database, "web", &silo), find(&database, "web", &both));
    assert_eq!(find(&database, "orders cob", &of_project), ["Text disk cobweb"]);
    assert_eq!(find(&database, "web", &[Audience::Fleet, Audience::Silo(SILO)]), [""; 0]);
    assert_eq!(find(&database, "web", &[]), [""; 0]);
    for hostile in ["%", "_", "w_b", "w%b", "web\u{0}x", "'", "\"", "\u{202e}bew", "🚀", "\u{10ffff}"] {
        assert_eq!(find(&database, hostile, &of_project), [""; 0], "{hostile:?}");
    }
    // IDs are found for every caller. The rules check access.
    assert_eq!(find(&database, "00000008", &[]), ["Prefix disk shop"]);
    assert_eq!(find(&database, "0000000", &[]).len(), 9);
}

pub fn search_follows_changes(engine: &dyn Engine) {
    let database = engine.open(&CROFT).unwrap();
    let of_project = [Audience::Project(PROJECT)];
    let mut record = disk(1, PROJECT, "before");
    write(&database, {
        let record = record.clone();
        move |tx| tx.insert(&record)
    })
    .unwrap();
    let mut change = |edit: fn(&mut Disk)| {
        edit(&mut record);
        let changed = record.clone();
        record = write(&database, move |tx| {
            let mut changed = changed.clone();
            tx.update(&mut changed)?;
            Ok(changed)
        })
        .unwrap();
    };
    change(|disk| disk.name = "after".parse().unwrap());
    assert_eq!(find(&database, "before", &of_project), [""; 0]);
    assert_eq!(find(&database, "after", &of_project), ["Exact disk after"]);
    change(|disk| disk.description = "invoices".into());
    assert_eq!(find(&database, "orders", &of_project), [""; 0]);
    assert_eq!(find(&database, "invoices", &of_project), ["Text disk after"]);
    change(|disk| disk.project_id = OTHER);
    assert_eq!(find(&database, "after", &of_project), [""; 0]);
    assert_eq!(find(&database, "after", &[Audience::Project(OTHER)]), ["Exact disk after"]);

    // Changes of the index are rolled back with the savepoint.
    let undone = record.clone();
    let result = write(&database, move |tx| {
        let part = tx.savepoint(|tx| {
            let mut undone = undone.clone();
            undone.name = "undone".parse().unwrap();
            tx.update(&mut undone)?;
            Err::<(), StoreError>(StoreError::Conflict)
        });
        assert!(part.is_err());
        Ok(())
    });
    result.unwrap();
    assert_eq!(find(&database, "undone", &[Audience::Project(OTHER)]), [""; 0]);
    assert_eq!(find(&database, "after", &[Audience::Project(OTHER)]), ["Exact disk after"]);

    write(&database, move |tx| tx.delete(&mut record.clone(), moment(1))).unwrap();
    assert_eq!(find(&database, "after", &[Audience::Project(OTHER)]), [""; 0]);
    assert_eq!(find(&database, "00000001", &[]), [""; 0]);
    let removed = disk(2, PROJECT, "removed");
    let id = removed.meta.id;
    write(&database, move |tx| {
        tx.insert(&removed)?;
        tx.remove::<Disk>(id, moment(2))
    })
    .unwrap();
    assert_eq!(find(&database, "removed", &of_project), [""; 0]);
}

pub fn addresses_are_found_by_enclosing_networks(engine: &dyn Engine) {
    let database = engine.open(&CROFT).unwrap();
    write(&database, |tx| {
        let interface = |number: u128, ip: &str| NetworkInterface {
            meta: meta(number),
            silo_id: SILO,
            project_id: PROJECT,
            name: format!("net{number}").parse().unwrap(),
            subnet_id: Uuid::from_u128(number),
            vpc_id: Uuid::from_u128(number),
            ip: ip.parse().unwrap(),
            mac: "A8:40:25:F0:00:01".parse().unwrap(),
            transit_ips: Vec::new(),
            ..example()
        };
        tx.insert(&interface(1, "172.30.0.5"))?;
        tx.insert(&interface(2, "172.30.4.5"))?;
        tx.insert(&interface(3, "fd00:1::5"))?;
        for (number, name, block) in [(4, "wide", "172.30.0.0/16"), (5, "narrow", "172.30.0.0/22")] {
            tx.insert(&VpcSubnet {
                meta: meta(number),
                silo_id: SILO,
                project_id: PROJECT,
                name: name.parse().unwrap(),
                ipv4_block: block.parse().unwrap(),
                ipv6_block: "fd00:1::/64".parse().unwrap(),
                ..example()
            })?;
        }
        let pool = IpPool { meta: meta(6), name: "public".parse().unwrap(), ..example() };
        tx.insert(&pool)?;
        let (first, last) = ("172.30.0.1".parse().unwrap(), "172.30.0.9".parse().unwrap());
        tx.insert(&IpPoolRange::new(meta(7), pool.meta.id, first, last))
    })
    .unwrap();
    let everybody = [Audience::Project(PROJECT), Audience::Fleet];
    let range = "ip_pool_range 172.30.0.1-172.30.0.9";
    assert_eq!(
        find(&database, "172.30.0.5", &everybody),
        [
            "Exact network_interface net1".to_owned(),
            format!("Contains {range}"),
            "Contains vpc_subnet narrow".to_owned(),
            "Contains vpc_subnet wide".to_owned(),
        ]
    );
    assert_eq!(
        find(&database, "172.30.0.0/22", &everybody),
        [
            "Exact vpc_subnet narrow".to_owned(),
            format!("Within {range}"),
            "Within network_interface net1".to_owned(),
            "Contains vpc_subnet wide".to_owned(),
        ]
    );
    let v6 = ["Exact network_interface net3", "Contains vpc_subnet wide", "Contains vpc_subnet narrow"];
    assert_eq!(find(&database, "fd00:1::5", &everybody), v6);
    assert_eq!(find(&database, "a8:40:25", &everybody).len(), 3);
    assert_eq!(find(&database, "172.30.4", &everybody).len(), 2);
    assert_eq!(find(&database, "10.0.0.1", &everybody), [""; 0]);
    assert_eq!(find(&database, "public", &[Audience::Record(meta(6).id)]), ["Exact ip_pool public"]);
}

/// PostgreSQL uses indexes for every statement of the search if there are enough rows.
pub fn search_uses_indexes(server: &mut PostgresServer) {
    let name = server.create_database();
    let database = server.existing(&name).open(&CROFT).unwrap();
    write(&database, |tx| {
        (1..=2_000).try_for_each(|number| tx.insert(&disk(number, PROJECT, &format!("disk-{number}"))))
    })
    .unwrap();
    let mut client = server.client(&name);
    client.batch_execute("ANALYZE; SET plan_cache_mode = force_generic_plan").unwrap();
    let plans = Database::query_plans(&CROFT).unwrap();
    for plan in plans.iter().filter(|plan| plan.table == "search") {
        let parameters =
            (1..=1_000).take_while(|number| plan.statement.contains(&format!("${number}"))).count();
        let values = vec!["NULL"; parameters].join(", ");
        client.batch_execute(&format!("PREPARE reviewed AS {}", plan.statement)).unwrap();
        let explain = format!("EXPLAIN (COSTS OFF) EXECUTE reviewed ({values})");
        let steps: Vec<String> =
            client.simple_query(&explain).unwrap().iter().filter_map(first_column).collect();
        client.batch_execute("DEALLOCATE reviewed").unwrap();
        let is_slow = |step: &&String| step.contains("Seq Scan") || step.contains("Sort");
        let slow: Vec<_> = steps.iter().filter(is_slow).collect();
        assert!(slow.is_empty(), "{}: {steps:#?}", plan.purpose);
        assert!(steps.iter().any(|step| step.contains("Index")), "{}: {steps:#?}", plan.purpose);
    }
}

fn first_column(message: &SimpleQueryMessage) -> Option<String> {
    match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }
}

/// The same tables with a migration that rebuilds the index.
fn reindexed() -> &'static Schema {
    let next =
        Migration::tables(u32::try_from(CROFT.migrations.len()).unwrap() + 1, "index made anew").reindexing();
    let migrations: Vec<Migration> = CROFT.migrations.iter().copied().chain([next]).collect();
    Box::leak(Box::new(Schema::new(schema::TABLES, migrations.leak())))
}

pub fn rebuilt_search_index_is_the_same(engine: &dyn Engine) {
    let texts = [
        "a",
        "1",
        "example",
        "10.0.0.0/8",
        "0.0.0.0/0",
        "::/0",
        "00",
        "0000",
        "first",
        "second",
        "third",
        "tier=fifth",
    ];
    let dump = |database: &Database| -> Vec<Vec<String>> {
        let places = [0xa0, 0xb0, 0xb1].map(Uuid::from_u128);
        let audiences: Vec<Audience> = places
            .into_iter()
            .flat_map(|id| [Audience::Silo(id), Audience::SiloViewers(id), Audience::Project(id)])
            .chain([Audience::Fleet])
            .collect();
        let mut found: Vec<_> = texts.map(|text| find(database, text, &audiences)).into();
        // Entries of changed records are newer than those of a rebuilt index.
        for each in &mut found {
            each.sort_unstable();
        }
        found
    };
    let database = engine.open(&CROFT).unwrap();
    write(&database, |tx| {
        kinds::ALL.iter().try_for_each(|kind| (kind.insert)(tx))?;
        let project = Project {
            meta: Meta::new(PROJECT, moment(0)),
            silo_id: SILO,
            name: "first".parse().unwrap(),
            ..example()
        };
        tx.insert(&project)?;
        for (number, name) in ["first", "second", "third"].iter().enumerate() {
            let mut disk = disk(number as u128 + 0x100, PROJECT, name);
            tx.insert(&disk)?;
            match number {
                0 => disk.name = "fourth-example".parse().unwrap(),
                1 => disk.project_id = OTHER,
                _ => {
                    tx.delete(&mut disk, moment(1))?;
                    continue;
                }
            }
            tx.update(&mut disk)?;
        }
        let id = meta(0x100).id;
        let target =
            LabelTarget { kind: "disk".into(), id, scope: Scope::project(SILO, PROJECT), place: PROJECT };
        let labels = [("tier".to_owned(), "fifth".to_owned())].into();
        tx.set_labels(&target, labels, 0, moment(1), || Uuid::from_u128(7)).map(drop)
    })
    .unwrap();
    let before = dump(&database);
    assert!(before.iter().filter(|found| !found.is_empty()).count() > 5, "{before:?}");
    assert!(before.last().is_some_and(|labelled| labelled.len() == 1), "{before:?}");
    drop(database);
    let database = engine.open(reindexed()).unwrap();
    assert_eq!(dump(&database), before);
}
