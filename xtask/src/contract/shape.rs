//! What a schema stands for, apart from how it is written, and how two differ.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The shape of a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    pub null: bool,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Any,
    /// A schema that contains itself, where it comes up again.
    Cycle,
    /// A type and its format.
    Scalar(String, Option<&'static str>),
    Enum(BTreeSet<String>),
    Array(Box<Shape>),
    Object(Object),
    Union(BTreeSet<Shape>),
    /// All of several shapes that are not objects.
    All(Vec<Shape>),
}

#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Object {
    pub properties: BTreeMap<String, Shape>,
    pub required: BTreeSet<String>,
    /// The shape of the values of a map.
    pub values: Option<Box<Shape>>,
}

impl Object {
    /// Adds the properties of `other`.
    pub fn merge(&mut self, other: Self) {
        self.properties.extend(other.properties);
        self.required.extend(other.required);
    }

    /// The properties that have one possible value each, which tell variants of a union apart.
    fn tag(&self) -> Vec<(&str, &str)> {
        let mut tag = Vec::new();
        for (name, shape) in &self.properties {
            if let Kind::Enum(values) = &shape.kind
                && values.len() == 1
            {
                tag.extend(values.first().map(|value| (name.as_str(), value.as_str())));
            }
        }
        tag
    }
}

impl From<Kind> for Shape {
    fn from(kind: Kind) -> Self {
        Self { null: false, kind }
    }
}

impl Shape {
    pub const ANY: Self = Self { null: false, kind: Kind::Any };
    pub const CYCLE: Self = Self { null: false, kind: Kind::Cycle };

    /// The same shape, which may be null as well if `null`. Any value and a cycle already include null.
    pub fn or_null(mut self, null: bool) -> Self {
        self.null |= null && !matches!(self.kind, Kind::Any | Kind::Cycle);
        self
    }

    fn tag(&self) -> Vec<(&str, &str)> {
        match &self.kind {
            Kind::Object(object) => object.tag(),
            _ => Vec::new(),
        }
    }
}

/// Displays a shape on one short line.
impl fmt::Display for Shape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = match &self.kind {
            Kind::Any => "any value".to_owned(),
            Kind::Cycle => "a cycle".to_owned(),
            Kind::Scalar(name, None) => name.clone(),
            Kind::Scalar(name, Some(format)) => format!("{name} ({format})"),
            Kind::Enum(values) => format!("one of {values:?}"),
            Kind::Array(item) => format!("array of {item}"),
            Kind::Object(Object { values: Some(values), .. }) => format!("map of {values}"),
            Kind::Object(object) => format!("object with {:?}", object.properties.keys()),
            Kind::Union(variants) => format!("union of {} variants", variants.len()),
            Kind::All(shapes) => format!("all of {} shapes", shapes.len()),
        };
        if let Some((end, _)) = text.char_indices().nth(100) {
            text.truncate(end);
            text.push_str("...");
        }
        formatter.write_str(&text)
    }
}

/// Collects differences of shapes.
#[derive(Debug, Default)]
pub struct Differences(pub Vec<String>);

impl Differences {
    pub fn add(&mut self, difference: String) {
        self.0.push(difference);
    }

    /// Compares two shapes at `place`. An `optional` value may be spelled nullable on either side.
    pub fn compare(&mut self, wanted: &Shape, found: &Shape, place: &str, optional: bool) {
        if wanted.kind == Kind::Any || wanted.kind == Kind::Cycle || found.kind == Kind::Cycle {
            return;
        }
        if wanted.null != found.null && !optional && found.kind != Kind::Any {
            self.add(format!("{place}: nullable {} wanted, {} found", wanted.null, found.null));
        }
        if wanted.kind == found.kind {
            return;
        }
        match (&wanted.kind, &found.kind) {
            (Kind::Object(wanted), Kind::Object(found)) => self.compare_objects(wanted, found, place),
            (Kind::Array(wanted), Kind::Array(found)) => {
                self.compare(wanted, found, &format!("{place}[]"), false);
            }
            (Kind::Enum(wanted), Kind::Enum(found)) => {
                let lacking: Vec<_> = wanted.difference(found).collect();
                let added: Vec<_> = found.difference(wanted).collect();
                self.add(format!("{place}: enum lacks {lacking:?}, adds {added:?}"));
            }
            (Kind::Union(wanted), Kind::Union(found)) => self.compare_unions(wanted, found, place),
            _ => self.add(format!("{place}: wants {wanted}, has {found}")),
        }
    }

    fn compare_objects(&mut self, wanted: &Object, found: &Object, place: &str) {
        if wanted.properties.is_empty() && found.properties.is_empty() {
            let values = |object: &Object| object.values.as_deref().cloned().unwrap_or(Shape::ANY);
            self.compare(&values(wanted), &values(found), &format!("{place}{{}}"), false);
            return;
        }
        for name in found.properties.keys().filter(|name| !wanted.properties.contains_key(*name)) {
            self.add(format!("{place}.{name}: not in the contract"));
        }
        for (name, shape) in &wanted.properties {
            let Some(other) = found.properties.get(name) else {
                self.add(format!("{place}.{name}: missing"));
                continue;
            };
            let required = wanted.required.contains(name);
            if required != found.required.contains(name) {
                let wanted = if required { "required" } else { "optional" };
                self.add(format!("{place}.{name}: {wanted} wanted"));
            }
            self.compare(shape, other, &format!("{place}.{name}"), !required);
        }
    }

    /// Compares variants that have the same tag with each other; others must be equal.
    fn compare_unions(&mut self, wanted: &BTreeSet<Shape>, found: &BTreeSet<Shape>, place: &str) {
        let mut lost = false;
        for variant in wanted.difference(found) {
            let tag = variant.tag();
            let other = found.iter().find(|other| !tag.is_empty() && other.tag() == tag);
            if let Some(other) = other {
                self.compare(variant, other, &format!("{place}<{}>", tag[0].1), false);
            } else {
                lost = true;
                self.add(format!("{place}: no variant {variant}"));
            }
        }
        if wanted.len() != found.len() && !lost {
            self.add(format!("{place}: {} variants wanted, {} found", wanted.len(), found.len()));
        }
    }
}
