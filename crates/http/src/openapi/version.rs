//! Converts OpenAPI 3.1, which `utoipa` generates, to 3.0.3, which the contract and client generators use.

use serde_json::{Map, Value, json};

/// Rewrites a whole document.
pub(super) fn to_version_3_0(document: &mut Value) {
    document["openapi"] = "3.0.3".into();
    rewrite(document);
}

fn rewrite(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(rewrite),
        Value::Object(fields) => {
            fields.values_mut().for_each(rewrite);
            if is_schema(fields) {
                rewrite_schema(fields);
            }
        }
        _ => {}
    }
}

/// Whether these are the fields of a schema, and not properties with names such as `type`.
fn is_schema(fields: &Map<String, Value>) -> bool {
    let has = |key: &str, right: fn(&Value) -> bool| fields.get(key).is_some_and(right);
    has("$ref", Value::is_string)
        || has("oneOf", Value::is_array)
        || has("anyOf", Value::is_array)
        || has("type", |kind| kind.is_string() || kind.is_array())
}

fn rewrite_schema(fields: &mut Map<String, Value>) {
    // Keys of maps are always strings in JSON.
    fields.remove("propertyNames");
    null_among_types(fields);
    null_among_variants(fields);
    wrap_reference(fields);
}

/// `type: [string, null]` becomes `type: string` that is nullable.
fn null_among_types(fields: &mut Map<String, Value>) {
    let Some(Value::Array(types)) = fields.get("type") else { return };
    let others: Vec<_> = types.iter().filter(|kind| *kind != "null").cloned().collect();
    let nullable = others.len() < types.len();
    let [only] = others.as_slice() else { panic!("a schema has one type beside null, not {others:?}") };
    fields.insert("type".into(), only.clone());
    if nullable {
        fields.insert("nullable".into(), true.into());
    }
}

/// A variant `type: null` makes the schema nullable. A single remaining variant replaces the schema.
fn null_among_variants(fields: &mut Map<String, Value>) {
    for key in ["oneOf", "anyOf"] {
        let Some(Value::Array(variants)) = fields.get_mut(key) else { continue };
        let before = variants.len();
        variants.retain(|variant| variant.get("type").is_none_or(|kind| kind != "null"));
        if variants.len() == before {
            continue;
        }
        if variants.len() == 1
            && let Some(only) = fields.remove(key)
        {
            fields.insert("allOf".into(), only);
        }
        fields.insert("nullable".into(), true.into());
    }
}

/// A reference must not have siblings, so it is wrapped if it has some.
fn wrap_reference(fields: &mut Map<String, Value>) {
    if fields.len() > 1
        && let Some(reference) = fields.remove("$ref")
    {
        fields.insert("allOf".into(), json!([{ "$ref": reference }]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(mut schema: Value) -> Value {
        rewrite(&mut schema);
        schema
    }

    #[test]
    fn null_type_becomes_nullable() {
        assert_eq!(
            rewritten(json!({ "type": ["string", "null"], "format": "uuid" })),
            json!({ "type": "string", "nullable": true, "format": "uuid" })
        );
        assert_eq!(
            rewritten(json!({ "description": "Who.", "oneOf": [{ "type": "null" }, { "$ref": "#/a" }] })),
            json!({ "description": "Who.", "nullable": true, "allOf": [{ "$ref": "#/a" }] })
        );
        assert_eq!(
            rewritten(json!({ "oneOf": [{ "type": "null" }, { "$ref": "#/a" }, { "$ref": "#/b" }] })),
            json!({ "nullable": true, "oneOf": [{ "$ref": "#/a" }, { "$ref": "#/b" }] })
        );
    }

    #[test]
    fn siblings_of_references_are_moved() {
        assert_eq!(rewritten(json!({ "$ref": "#/a" })), json!({ "$ref": "#/a" }));
        assert_eq!(
            rewritten(json!({ "$ref": "#/a", "description": "Which." })),
            json!({ "allOf": [{ "$ref": "#/a" }], "description": "Which." })
        );
    }

    #[test]
    fn properties_named_like_keywords_are_kept() {
        let properties =
            json!({ "properties": { "type": { "type": "string" }, "oneOf": { "type": "string" } } });
        assert_eq!(rewritten(properties.clone()), properties);
    }
}
