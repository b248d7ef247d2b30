//! Merging neighbouring layers, so that the storage of a snapshot that is deleted is freed although disks go on based
//! on its layer.
//!
//! The upper layer is committed into the lower one. Whoever sees the upper one reads the same before, meanwhile and
//! afterwards, so a crash may come at any time: what is done again changes nothing. The merge is over when no file refers
//! to the upper layer any more, which the files themselves say.

use std::{fs::File, io};

use uuid::Uuid;

use super::{Format, HypervisorError, Index, Kind, Layer, Record, Volumes, failed, files, qcow2};

/// What it takes for the storage of a snapshot to be freed.
#[derive(Debug)]
pub(in crate::qemu) enum Way {
    /// Nothing is based on its layer.
    Free,
    /// Several disks are based on its layer, or other layers than one, so it has to stay.
    Shared,
    /// One disk is based on its layer: the next one is to be merged into it.
    Merge(Merge),
}

/// Two neighbouring layers of a disk that are to become one.
#[derive(Clone, Debug)]
pub(in crate::qemu) struct Merge {
    pub(in crate::qemu) disk: Uuid,
    pub(in crate::qemu) snapshot: Uuid,
    /// The snapshot's own layer, which stays.
    pub(in crate::qemu) lower: Layer,
    /// The layer that goes.
    pub(in crate::qemu) upper: Layer,
    /// The layer over them; `None` if the disk is being written into the upper one.
    pub(in crate::qemu) above: Option<Layer>,
    /// All layers of the disk, the topmost first.
    pub(in crate::qemu) layers: Vec<Layer>,
}

impl Volumes {
    /// What it takes for the storage of a snapshot to be freed. From the first time that the answer is a merge, the
    /// snapshot is not what it was any more.
    pub(in crate::qemu) fn way_to_free(&self, snapshot: Uuid) -> Result<Way, HypervisorError> {
        let mut index = self.index.lock();
        let cannot = |error| failed("cannot merge layers", error);
        let Some(record) = index.records.get(&(Kind::Snapshot, snapshot)).cloned() else {
            return Ok(Way::Free);
        };
        let Some(lower) = record.layers.first().copied() else { return Ok(Way::Free) };
        if let Some(upper) = record.merging
            && let Some(disk) = index.only_disk_with(lower)
            && !self.chain(&index, disk).map_err(cannot)?.contains(&upper)
        {
            self.finish(&mut index, snapshot, upper).map_err(cannot)?;
            return Ok(Way::Free);
        }
        if !index.has_dependents(snapshot) {
            return Ok(Way::Free);
        }
        let Some(merge) = index.merge_into(snapshot, lower) else { return Ok(Way::Shared) };
        let merging = Some(merge.upper);
        self.store(&mut index, Kind::Snapshot, snapshot, Record { merging, ..record }).map_err(cannot)?;
        Ok(Way::Merge(merge))
    }

    /// The snapshots into whose layers others were being merged when an earlier server ended.
    pub(in crate::qemu) fn merging(&self) -> Vec<Uuid> {
        let index = self.index.lock();
        let merging = index.records.iter().filter(|(_, record)| record.merging.is_some());
        merging.map(|((_, id), _)| *id).collect()
    }

    /// Lets a user write into the layers of a merge, and read those below. If no machine has the disk, the user has it.
    pub(in crate::qemu) fn lend(&self, merge: &Merge, user: Option<u32>) -> Result<(), HypervisorError> {
        let mut index = self.index.lock();
        if let Some(user) = user {
            index.users.entry(merge.disk).or_insert(user);
        }
        let lent = merge
            .others()
            .try_for_each(|layer| self.freeze(&index, layer))
            .and_then(|()| merge.files().try_for_each(|layer| self.give(layer, user)));
        lent.map_err(|error| failed("cannot open layers for merging", error))
    }

    /// Makes the layers of a merge what they were: the topmost one `user`'s, who is the machine's that has the disk, and
    /// all others nobody's.
    pub(in crate::qemu) fn take_back(&self, merge: &Merge, user: Option<u32>) -> Result<(), HypervisorError> {
        let mut index = self.index.lock();
        if user.is_none() {
            index.users.remove(&merge.disk);
        }
        let top = index.records.get(&(Kind::Disk, merge.disk)).and_then(|disk| disk.layers.first().copied());
        let taken = merge.files().chain(merge.others()).try_for_each(|layer| {
            match self.layer_path(layer).try_exists()? {
                true if Some(layer) == top => self.give(layer, user),
                true => self.freeze(&index, layer),
                false => Ok(()),
            }
        });
        taken.map_err(|error| failed("cannot close layers after merging", error))
    }

    /// Records that all of the upper layer is in the lower one, and removes it.
    pub(in crate::qemu) fn merged(&self, merge: &Merge) -> Result<(), HypervisorError> {
        let cannot = |error| failed("cannot finish a merge", error);
        let durable = [Some(merge.lower), merge.above].into_iter().flatten();
        for layer in durable {
            File::open(self.layer_path(layer)).and_then(|file| file.sync_all()).map_err(cannot)?;
        }
        let mut index = self.index.lock();
        let chain = self.chain(&index, merge.disk).map_err(cannot)?;
        // The topmost layer is in nobody's file, so that its record alone says whether it is used.
        let goes = if merge.above.is_some() {
            !chain.contains(&merge.upper)
        } else {
            chain.first() == Some(&merge.upper)
        };
        if !goes {
            return Err(HypervisorError::Failed("the merged layer is still in use".to_owned()));
        }
        self.finish(&mut index, merge.snapshot, merge.upper).map_err(cannot)
    }

    /// Takes a layer that was merged out of all records, and then removes it and the record of the snapshot, whose layer
    /// has become that of the volumes above it. After a crash the snapshot still has the merge noted, and the rest is done
    /// when it is asked for again.
    fn finish(&self, index: &mut Index, snapshot: Uuid, layer: Layer) -> io::Result<()> {
        let with: Vec<_> = index
            .records
            .iter()
            .filter(|(_, record)| record.layers.contains(&layer))
            .map(|(key, _)| *key)
            .collect();
        for (kind, id) in with {
            let mut record = index.records[&(kind, id)].clone();
            record.layers.retain(|other| *other != layer);
            self.store(index, kind, id, record)?;
        }
        files::remove(&self.layer_path(layer))?;
        files::remove(&self.record_path(Kind::Snapshot, snapshot))?;
        index.records.remove(&(Kind::Snapshot, snapshot));
        Ok(())
    }

    /// The layers of a disk as their files refer to each other, the topmost first.
    fn chain(&self, index: &Index, disk: Uuid) -> io::Result<Vec<Layer>> {
        let layers = index.records.get(&(Kind::Disk, disk)).map(|record| record.layers.as_slice());
        let mut next = layers.and_then(|layers| layers.first().copied());
        let mut chain = Vec::new();
        while let Some(layer) = next {
            chain.push(layer);
            next = match layer.format {
                Format::Raw => None,
                Format::Qcow2 => {
                    let below = qcow2::backing(&self.layer_path(layer))?;
                    let known = index.records.values().flat_map(|record| &record.layers);
                    let found = known.into_iter().find(|layer| layer.id.to_string() == below).copied();
                    Some(found.ok_or_else(|| io::Error::other(format!("there is no layer {below}")))?)
                }
            };
        }
        Ok(chain)
    }
}

impl Merge {
    fn files(&self) -> impl Iterator<Item = Layer> {
        let top =
            self.layers.first().copied().filter(|top| ![Some(self.upper), self.above].contains(&Some(*top)));
        [Some(self.lower), Some(self.upper), self.above, top].into_iter().flatten()
    }

    /// The layers of the disk that the merge does not write into.
    fn others(&self) -> impl Iterator<Item = Layer> {
        let files: Vec<Layer> = self.files().collect();
        self.layers.iter().copied().filter(move |layer| !files.contains(layer))
    }
}

impl Index {
    /// The disk with a layer, if there is one alone.
    fn only_disk_with(&self, layer: Layer) -> Option<Uuid> {
        let mut disks = self
            .records
            .iter()
            .filter(|((kind, _), record)| *kind == Kind::Disk && record.layers.contains(&layer))
            .map(|((_, id), _)| *id);
        disks.next().filter(|_| disks.next().is_none())
    }

    /// How the own layer of a snapshot can be merged with the one above it: if one disk has it, and all volumes that have
    /// it agree on the two layers above.
    fn merge_into(&self, snapshot: Uuid, lower: Layer) -> Option<Merge> {
        let disk = self.only_disk_with(lower)?;
        let layers = self.records.get(&(Kind::Disk, disk))?.layers.clone();
        let (mut upper, mut above) = (None, None);
        for (key, record) in &self.records {
            let Some(place) = record.layers.iter().position(|layer| *layer == lower) else { continue };
            if *key == (Kind::Snapshot, snapshot) {
                continue;
            }
            let next = *record.layers.get(place.checked_sub(1)?)?;
            if *upper.get_or_insert(next) != next {
                return None;
            }
            if let Some(over) = place.checked_sub(2).map(|place| record.layers[place])
                && *above.get_or_insert(over) != over
            {
                return None;
            }
        }
        Some(Merge { disk, snapshot, lower, upper: upper?, above, layers })
    }
}
