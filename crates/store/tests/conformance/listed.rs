//! Lists in natural order.

use croft_store::{
    Database, Meta, Migration, Schema, StoreError, Tx,
    records::Disk,
    schema::{self, CROFT},
    search::{ListedOrder, ListedPlace},
};
use uuid::Uuid;

use crate::{
    engines::Engine,
    maker,
    records::moment,
    tables::{read, write},
};

const PROJECT: Uuid = Uuid::from_u128(0xb0);
const OTHER: Uuid = Uuid::from_u128(0xb1);

fn disk(number: u128, name: &str, created: i64) -> Disk {
    let meta = Meta::new(Uuid::from_u128((number << 96) | 0x4000_8000_0000_0000), moment(created));
    let example: Disk = maker::examples::<Disk>(0).remove(0);
    Disk { meta, project_id: PROJECT, name: name.parse().unwrap(), ..example }
}

/// Returns all names, page by page.
fn listed(tx: &mut Tx<'_>, sort: (ListedOrder, bool), limit: usize) -> Result<Vec<String>, StoreError> {
    let (mut names, mut after) = (Vec::new(), None);
    loop {
        let page: Vec<Disk> = tx.listed(PROJECT, sort, after.as_ref(), limit)?;
        names.extend(page.iter().map(|disk| disk.name.to_string()));
        match page.last() {
            Some(last) if page.len() == limit => after = Some(ListedPlace::of(last, sort.0)),
            _ => return Ok(names),
        }
    }
}

fn all(database: &Database, order: ListedOrder) -> Vec<String> {
    let ascending = read(database, move |tx| listed(tx, (order, false), 100));
    for limit in [1, 2, 3] {
        assert_eq!(read(database, move |tx| listed(tx, (order, false), limit)), ascending);
        let mut descending = read(database, move |tx| listed(tx, (order, true), limit));
        descending.reverse();
        assert_eq!(descending, ascending);
    }
    ascending
}

pub fn lists_have_natural_order_and_follow_changes(engine: &dyn Engine) {
    let database = engine.open(&CROFT).unwrap();
    write(&database, |tx| {
        for (number, name) in [(7, "disk-10"), (3, "disk-2"), (5, "disk-1"), (1, "disk-9")] {
            tx.insert(&disk(number, name, i64::try_from(number / 2).unwrap()))?;
        }
        tx.insert(&Disk { project_id: OTHER, ..disk(9, "elsewhere", 0) })
    })
    .unwrap();
    assert_eq!(all(&database, ListedOrder::Name), ["disk-1", "disk-2", "disk-9", "disk-10"]);
    assert_eq!(all(&database, ListedOrder::Time), ["disk-9", "disk-2", "disk-1", "disk-10"]);
    write(&database, |tx| {
        let mut renamed = disk(7, "disk-10", 3);
        renamed.name = "disk-1-b".parse().unwrap();
        tx.update(&mut renamed)?;
        let mut moved = disk(3, "disk-2", 1);
        moved.project_id = OTHER;
        tx.update(&mut moved)?;
        tx.delete(&mut disk(1, "disk-9", 0), moment(9))
    })
    .unwrap();
    let expected = ["disk-1", "disk-1-b"];
    assert_eq!(all(&database, ListedOrder::Name), expected);
    let (count, bounded, second, beyond, by_id) = read(&database, |tx| {
        let by_id: Vec<Disk> = tx.listed_by_id(PROJECT, Uuid::nil(), 5)?;
        Ok::<_, StoreError>((
            tx.count_listed::<Disk>(PROJECT, 10)?,
            tx.count_listed::<Disk>(PROJECT, 1)?,
            tx.listed_at::<Disk>(PROJECT, 1)?,
            tx.listed_at::<Disk>(PROJECT, 2)?,
            by_id.len(),
        ))
    });
    assert_eq!((count, bounded, second, beyond, by_id), (2, 1, Some(disk(7, "a", 0).meta.id), None, 2));
    // A rebuilt index gives the same order.
    drop(database);
    let number = u32::try_from(CROFT.migrations.len()).unwrap() + 1;
    let next = Migration::tables(number, "index made anew").reindexing();
    let migrations: Vec<Migration> = CROFT.migrations.iter().copied().chain([next]).collect();
    let database = engine.open(Box::leak(Box::new(Schema::new(schema::TABLES, migrations.leak())))).unwrap();
    assert_eq!(all(&database, ListedOrder::Name), expected);
    assert_eq!(all(&database, ListedOrder::Time), expected);
}
