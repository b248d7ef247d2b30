//! An OpenAPI document, and the shapes that its schemas expand to.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::Operations;
use super::shape::{Kind, Object, Shape};

/// The methods of operations, in the order of lists.
const METHODS: [&str; 6] = ["get", "put", "post", "delete", "head", "patch"];

/// Formats that change what a string stands for, each with its shape's name for it.
const FORMATS: [(&str, &str); 6] = [
    ("uuid", "uuid"),
    ("date-time", "date-time"),
    ("binary", "binary"),
    ("ip", "ip"),
    ("ipv4", "ip"),
    ("ipv6", "ip"),
];

/// An operation of a document.
pub struct Operation<'a> {
    pub method: &'static str,
    pub path: &'a str,
    pub value: &'a Value,
    /// The item of the path, which may hold parameters of all its operations.
    pub item: &'a Value,
}

impl<'a> Operation<'a> {
    pub fn id(&self) -> &'a str {
        self.value["operationId"].as_str().unwrap_or("(no operation id)")
    }

    pub fn tag(&self) -> &'a str {
        self.value["tags"][0].as_str().unwrap_or_default()
    }

    /// Where operations of one path stand in lists.
    pub fn place(&self) -> Option<usize> {
        METHODS.iter().position(|method| *method == self.method)
    }

    fn has_tag(&self, tag: &str) -> bool {
        items(self.value, "tags").iter().any(|carried| carried == tag)
    }
}

pub struct Document(Value);

impl Document {
    pub fn new(value: Value) -> Self {
        Self(value)
    }

    /// The operations that carry `tag`, or all, by method and path.
    pub fn operations(&self, tag: Option<&str>) -> Operations<'_> {
        let mut operations = BTreeMap::new();
        for (path, item) in entries(&self.0, "paths") {
            for method in METHODS {
                let Some(value) = item.get(method) else { continue };
                let operation = Operation { method, path, value, item };
                if tag.is_none_or(|tag| operation.has_tag(tag)) {
                    operations.insert(format!("{method} {}", without_names(path)), operation);
                }
            }
        }
        operations
    }

    /// Follows references until there is none. A reference that leads nowhere is null.
    pub fn resolve<'a>(&'a self, mut value: &'a Value) -> &'a Value {
        while let Some(reference) = reference(value) {
            value = self.target(reference);
        }
        value
    }

    fn target(&self, reference: &str) -> &Value {
        self.0.pointer(reference.trim_start_matches('#')).unwrap_or(&Value::Null)
    }

    /// The shape of a schema, with all references expanded.
    pub fn shape(&self, schema: &Value) -> Shape {
        self.expand(schema, &mut Vec::new())
    }

    /// `open` holds the references that are being expanded, to notice cycles.
    fn expand<'a>(&'a self, schema: &'a Value, open: &mut Vec<&'a str>) -> Shape {
        let Some(fields) = schema.as_object().filter(|fields| !fields.is_empty()) else {
            return Shape::ANY;
        };
        let nullable = schema["nullable"] == true;
        if let Some(reference) = reference(schema) {
            if open.contains(&reference) {
                return Shape::CYCLE;
            }
            open.push(reference);
            let shape = self.expand(self.target(reference), open);
            open.pop();
            return shape.or_null(nullable);
        }
        let shape = if let Some(variants) = first(fields, &["oneOf", "anyOf"]) {
            self.union(variants, open)
        } else if let Some(parts) = first(fields, &["allOf"]) {
            self.all_of(schema, parts, open)
        } else {
            self.plain(schema, open)
        };
        shape.or_null(nullable || types(schema).contains(&"null"))
    }

    fn union<'a>(&'a self, variants: &'a [Value], open: &mut Vec<&'a str>) -> Shape {
        let mut null = false;
        let mut values = BTreeSet::new();
        let mut shapes = BTreeSet::new();
        for variant in variants {
            if variant["type"] == "null" {
                null = true;
                continue;
            }
            let shape = self.expand(variant, open);
            null |= shape.null;
            match shape.kind {
                Kind::Union(nested) => shapes.extend(nested),
                Kind::Enum(more) => values.extend(more),
                kind => {
                    shapes.insert(Shape::from(kind));
                }
            }
        }
        // Variants that are each one string are the same as one enum.
        let nested: Vec<Shape> =
            shapes.iter().filter(|shape| matches!(shape.kind, Kind::Enum(_))).cloned().collect();
        for shape in nested {
            shapes.remove(&shape);
            if let Kind::Enum(more) = shape.kind {
                values.extend(more);
            }
        }
        if !values.is_empty() {
            shapes.insert(Kind::Enum(values).into());
        }
        let shape = match shapes.len() {
            1 => shapes.pop_first().expect("there is one"),
            _ => Kind::Union(shapes).into(),
        };
        shape.or_null(null)
    }

    fn all_of<'a>(&'a self, schema: &'a Value, parts: &'a [Value], open: &mut Vec<&'a str>) -> Shape {
        let mut null = false;
        let mut merged: Option<Object> = None;
        let mut others = Vec::new();
        for part in parts {
            let shape = self.expand(part, open);
            match shape.kind {
                Kind::Object(object) => {
                    null |= shape.null;
                    merged.get_or_insert_default().merge(object);
                }
                _ => others.push(shape),
            }
        }
        if schema.get("properties").is_some() {
            merged.get_or_insert_default().merge(self.object(schema, open));
        }
        let shape = match (merged, others.len()) {
            (Some(object), _) => Kind::Object(object).into(),
            (None, 1) => others.remove(0),
            (None, _) => Kind::All(others).into(),
        };
        shape.or_null(null)
    }

    /// The shape of a schema that combines no others.
    fn plain<'a>(&'a self, schema: &'a Value, open: &mut Vec<&'a str>) -> Shape {
        if let Some(value) = schema.get("const") {
            return Kind::Enum(BTreeSet::from([text(value)])).into();
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            let named = values.iter().filter(|value| !value.is_null()).map(text).collect();
            return Shape::from(Kind::Enum(named)).or_null(values.contains(&Value::Null));
        }
        let types: Vec<&str> = types(schema).into_iter().filter(|name| *name != "null").collect();
        match types.as_slice() {
            ["object"] => Kind::Object(self.object(schema, open)).into(),
            _ if schema.get("properties").is_some() => Kind::Object(self.object(schema, open)).into(),
            ["array"] => Kind::Array(Box::new(self.expand(&schema["items"], open))).into(),
            [] if schema.get("type").is_none() => Shape::ANY,
            names => {
                let format = schema["format"].as_str();
                let known = FORMATS.iter().find(|(name, _)| Some(*name) == format);
                Kind::Scalar(names.join(" or "), known.map(|(_, shape)| *shape)).into()
            }
        }
    }

    fn object<'a>(&'a self, schema: &'a Value, open: &mut Vec<&'a str>) -> Object {
        let mut object = Object::default();
        for (name, property) in entries(schema, "properties") {
            object.properties.insert(name.clone(), self.expand(property, open));
        }
        if !object.properties.is_empty() {
            object.required = items(schema, "required").iter().map(text).collect();
        }
        if let Some(values) = schema.get("additionalProperties").filter(|values| !is_empty(values)) {
            object.values = Some(Box::new(self.expand(values, open)));
        }
        object
    }
}

fn reference(value: &Value) -> Option<&str> {
    value["$ref"].as_str()
}

/// The entries of the object `name` in `value`; `None` if there is no such object.
pub fn entries<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    value[name].as_object().into_iter().flatten()
}

/// The items of the list `name` in `value`; `None` if there is no such list.
pub fn items<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

fn first<'a>(fields: &'a Map<String, Value>, names: &[&str]) -> Option<&'a [Value]> {
    names.iter().find_map(|name| fields.get(*name)).and_then(Value::as_array).map(Vec::as_slice)
}

/// The names in `type`, which OpenAPI 3.1 allows to be a list.
fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether `additionalProperties` says nothing about the values.
fn is_empty(values: &Value) -> bool {
    values.as_object().is_none_or(Map::is_empty)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// `/a/{b}/` as `/a/{}`.
fn without_names(path: &str) -> String {
    let segments = path.trim_end_matches('/').split('/');
    let named = |segment: &str| segment.starts_with('{') && segment.ends_with('}');
    segments.map(|segment| if named(segment) { "{}" } else { segment }).collect::<Vec<_>>().join("/")
}
