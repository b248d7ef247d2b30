//! Entries of the audit log are found by the resources that they concern.

use croft_store::{
    Database, ListBy, Marker, Meta, Sort, StoreError, Tx,
    records::{AuditEntry, AuditSubject, Disk, FLEET, Label, ResourceActivity},
    schema::CROFT,
};
use uuid::Uuid;

use crate::{
    engines::Engine,
    maker,
    records::moment,
    tables::{read, write},
};

const SILO: Uuid = Uuid::from_u128(0xa0);
const PROJECT: Uuid = Uuid::from_u128(0xb0);
const INSTANCE: Uuid = Uuid::from_u128(0xc0);
const VPC: Uuid = Uuid::from_u128(0xd0);

fn subject(kind: &str, id: Uuid, parent: Uuid) -> AuditSubject {
    AuditSubject {
        kind: kind.to_owned(),
        id,
        name: None,
        parent,
        silo_id: Some(SILO),
        project_id: Some(PROJECT),
    }
}

fn entry(number: u32, subjects: &[AuditSubject]) -> AuditEntry {
    AuditEntry {
        meta: Meta::new(Uuid::from_u128(number.into()), moment(number.into())),
        instance_id: Some(INSTANCE),
        project_id: Some(PROJECT),
        subjects: subjects.to_vec(),
        ..maker::examples::<AuditEntry>(0).remove(0)
    }
}

/// The entries of a resource, newest first, in pages of two.
fn of_resource(database: &Database, resource: Uuid) -> Vec<u128> {
    read(database, move |tx| {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page: Vec<ResourceActivity> =
                tx.page(ListBy::Parent(resource), Sort::TimeDesc, after.clone(), 2)?;
            let Some(last) = page.last() else { return Ok(found) };
            after = Some(Marker::after(last, Sort::TimeDesc));
            found.extend(page.iter().map(|row| row.entry_id.as_u128()));
        }
    })
}

fn in_project(database: &Database) -> Vec<u128> {
    read(database, |tx| {
        let by = ListBy::lookup(AuditEntry::PROJECT, PROJECT);
        let found: Vec<AuditEntry> = tx.page(by, Sort::TimeDesc, None, 100)?;
        Ok(found.iter().map(|entry| entry.meta.id.as_u128()).collect())
    })
}

pub fn entries_are_found_by_what_they_are_about(engine: &dyn Engine) {
    let database = engine.open(&CROFT).unwrap();
    let (disk, subnet) = (Uuid::from_u128(1 << 64), Uuid::from_u128(2 << 64));
    let about_disk = [subject("disk", disk, PROJECT), subject("project", PROJECT, SILO)];
    let about_subnet = [subject("vpc_subnet", subnet, VPC), subject("instance", INSTANCE, PROJECT)];
    let of_fleet = AuditSubject { silo_id: None, project_id: None, ..subject("ip_pool", disk, FLEET) };
    let entries = [
        entry(1, &about_disk),
        entry(2, &about_subnet),
        entry(3, &about_disk),
        entry(4, &about_disk),
        entry(5, &[of_fleet, subject("network_interface", subnet, INSTANCE)]),
    ];
    write(&database, move |tx| entries.iter().try_for_each(|entry| tx.insert_audit_entry(entry))).unwrap();
    assert_eq!(of_resource(&database, disk), [5, 4, 3, 1]);
    // A part of a VPC is found by the VPC, too.
    assert_eq!([of_resource(&database, subnet), of_resource(&database, VPC)], [vec![5, 2], vec![2]]);
    // These are found without rows of their own.
    for place in [SILO, PROJECT, INSTANCE, FLEET, Uuid::nil()] {
        assert_eq!(of_resource(&database, place), [0; 0]);
    }
    assert_eq!(in_project(&database), [5, 4, 3, 2, 1]);

    let removed = write(&database, |tx| {
        let first = tx.remove_audit_entry(Uuid::from_u128(1), moment(9))?;
        let second = tx.remove_audit_entry(Uuid::from_u128(2), moment(9))?;
        Ok((first, second, tx.remove_audit_entry(Uuid::from_u128(2), moment(9))?))
    });
    assert_eq!(removed, Ok((true, true, false)));
    assert_eq!(of_resource(&database, disk), [5, 4, 3]);
    assert_eq!([of_resource(&database, subnet), of_resource(&database, VPC)], [vec![5], vec![]]);
    assert_eq!(in_project(&database), [5, 4, 3]);
    let rows = read(&database, |tx| tx.count::<ResourceActivity>(ListBy::All));
    assert_eq!(rows, 4);
}

pub fn a_transaction_tells_what_it_changed(engine: &dyn Engine) {
    let database = engine.open(&CROFT).unwrap();
    let example = |number: u128| Disk {
        meta: Meta::new(Uuid::from_u128(number), moment(0)),
        name: format!("disk-{number}").parse().unwrap(),
        silo_id: SILO,
        project_id: PROJECT,
        ..maker::examples::<Disk>(0).remove(0)
    };
    let reported = write(&database, move |tx| {
        let names = |tx: &mut Tx<'_>| -> Vec<_> {
            let changed = tx.take_changed();
            changed.into_iter().map(|record| (record.kind, record.name.unwrap())).collect()
        };
        let mut reported = vec![names(tx)];
        let mut first = example(1);
        tx.insert(&first)?;
        // Records such as labels are not in the change log.
        tx.insert(&maker::examples::<Label>(0).remove(0))?;
        reported.push(names(tx));
        first.name = "renamed".parse().unwrap();
        tx.update(&mut first)?;
        // Changes that are rolled back are not reported.
        let undone = tx.savepoint(|tx| {
            tx.insert(&example(2))?;
            tx.take_changed();
            tx.insert(&example(3))?;
            Err::<(), _>(StoreError::Conflict)
        });
        assert!(undone.is_err());
        tx.insert(&example(4))?;
        reported.push(names(tx));
        tx.delete(&mut first, moment(1))?;
        tx.remove::<Disk>(Uuid::from_u128(4), moment(1))?;
        reported.push(names(tx));
        Ok(reported)
    });
    let disk = |name: &str| ("disk", name.to_owned());
    assert_eq!(
        reported.unwrap(),
        [
            vec![],
            vec![disk("disk-1")],
            vec![disk("renamed"), disk("disk-4")],
            vec![disk("renamed"), disk("disk-4")]
        ]
    );
}
