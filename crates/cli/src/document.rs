//! What the client reads from an OpenAPI document: the operations, their parameters, and the properties of their
//! bodies.

use serde_json::{Map, Value};

/// The methods that operations have.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// Depth at which references are no longer followed. No document of Croft comes near it.
const DEEPEST: usize = 16;

/// An operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// `operationId`, such as `vpc_subnet_create`.
    pub id: String,
    /// In capitals.
    pub method: String,
    /// With parameters in braces.
    pub path: String,
    /// One line, without a full stop.
    pub summary: String,
    /// What follows the summary; may be empty.
    pub description: String,
    /// In path and query.
    pub parameters: Vec<Parameter>,
    /// What is sent.
    pub body: Body,
    /// Whether the response is a page of a list.
    pub is_list: bool,
    /// Whether the response is a WebSocket or a stream that has no end.
    pub is_stream: bool,
}

/// A parameter of a path or query.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// As the document spells it.
    pub name: String,
    /// Whether it is part of the path.
    pub in_path: bool,
    /// Whether it must be given.
    pub required: bool,
    /// What it means.
    pub help: String,
    /// What it can be.
    pub kind: Kind,
}

/// The body of a request.
#[derive(Clone, Debug)]
pub enum Body {
    /// There is none.
    None,
    /// A JSON object; the properties are those that every variant has.
    Json {
        /// In the order of the document.
        properties: Vec<Property>,
        /// An object in which every required property has a value of its kind.
        template: Value,
    },
    /// A form. The command line sends one only to sign in.
    Form,
    /// Bytes of any kind.
    Bytes,
}

/// A property of a body.
#[derive(Clone, Debug)]
pub struct Property {
    /// As the document spells it.
    pub name: String,
    /// Whether it must be given.
    pub required: bool,
    /// What it means.
    pub help: String,
    /// What it can be.
    pub kind: Kind,
}

/// What a parameter or property can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// A whole number.
    Integer,
    /// A number of bytes, which may have a unit on the command line.
    Bytes,
    /// `true` or `false`.
    Boolean,
    /// One of these words.
    Choice(Vec<String>),
    /// A list of one of the kinds above.
    Many(Box<Self>),
    /// Anything else, given as JSON.
    Json,
}

/// Reads the operations of a document.
///
/// # Errors
///
/// The text is not JSON.
pub fn operations(text: &str) -> Result<Vec<Operation>, serde_json::Error> {
    let document: Value = serde_json::from_str(text)?;
    let reader = Reader { schemas: &document["components"]["schemas"] };
    let paths = document["paths"].as_object();
    let operations = paths.into_iter().flatten().flat_map(|(path, item)| {
        METHODS.iter().filter_map(|method| Some(reader.operation(path, method, item.get(method)?)))
    });
    Ok(operations.collect())
}

struct Reader<'a> {
    schemas: &'a Value,
}

impl<'a> Reader<'a> {
    fn operation(&self, path: &str, method: &str, value: &'a Value) -> Operation {
        let parameters = value["parameters"].as_array().into_iter().flatten();
        let content = value["responses"].as_object().into_iter().flatten().flat_map(|(_, response)| {
            response["content"].as_object().into_iter().flatten().map(|(kind, _)| kind.as_str())
        });
        Operation {
            id: text(&value["operationId"]),
            method: method.to_uppercase(),
            path: path.to_owned(),
            summary: text(&value["summary"]),
            description: text(&value["description"]),
            parameters: parameters.map(|value| self.parameter(value)).collect(),
            body: self.body(&value["requestBody"]["content"]),
            is_list: value.get("x-dropshot-pagination").is_some(),
            is_stream: value.get("x-dropshot-websocket").is_some()
                || content.into_iter().any(|kind| kind == "text/event-stream"),
        }
    }

    fn parameter(&self, value: &'a Value) -> Parameter {
        Parameter {
            name: text(&value["name"]),
            in_path: value["in"] == "path",
            required: value["required"] == true,
            help: text(&value["description"]),
            kind: self.kind(&value["schema"], 0),
        }
    }

    fn body(&self, content: &'a Value) -> Body {
        let Some(content) = content.as_object() else { return Body::None };
        if content.contains_key("application/x-www-form-urlencoded") {
            return Body::Form;
        }
        let Some(json) = content.get("application/json") else { return Body::Bytes };
        let mut properties = Vec::new();
        self.properties(&json["schema"], &mut properties, 0);
        Body::Json { properties, template: self.template(&json["schema"], 0) }
    }

    /// Follows references, and schemas that only wrap another one to describe it.
    fn resolve(&self, schema: &'a Value) -> &'a Value {
        let mut schema = schema;
        for _ in 0..DEEPEST {
            let only = schema["allOf"].as_array().and_then(|all| all.first().filter(|_| all.len() == 1));
            let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
            match (name, only) {
                (Some(name), _) => schema = &self.schemas[name],
                (None, Some(only)) => schema = only,
                (None, None) => break,
            }
        }
        schema
    }

    fn properties(&self, schema: &'a Value, found: &mut Vec<Property>, depth: usize) {
        let described = schema;
        let schema = self.resolve(described);
        if depth > DEEPEST {
            return;
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.properties(part, found, depth + 1);
        }
        let required = |name: &str| {
            schema["required"].as_array().is_some_and(|names| names.iter().any(|other| other == name))
        };
        for (name, value) in schema["properties"].as_object().into_iter().flatten() {
            let own = text(&value["description"]);
            let help = if own.is_empty() { text(&self.resolve(value)["description"]) } else { own };
            let property =
                Property { name: name.clone(), required: required(name), help, kind: self.kind(value, 0) };
            found.push(property);
        }
    }

    fn kind(&self, schema: &'a Value, depth: usize) -> Kind {
        if schema["$ref"].as_str().is_some_and(|path| path.ends_with("/ByteCount"))
            || schema["allOf"][0]["$ref"].as_str().is_some_and(|path| path.ends_with("/ByteCount"))
        {
            return Kind::Bytes;
        }
        let schema = self.resolve(schema);
        if let Some(words) = self.words(schema) {
            return Kind::Choice(words);
        }
        if schema.get("oneOf").is_some() || schema.get("anyOf").is_some() {
            return if self.is_text(schema) { Kind::Text } else { Kind::Json };
        }
        match schema["type"].as_str() {
            Some("string") => Kind::Text,
            Some("integer") => Kind::Integer,
            Some("boolean") => Kind::Boolean,
            Some("array") if depth == 0 => match self.kind(&schema["items"], 1) {
                Kind::Json => Kind::Json,
                kind => Kind::Many(Box::new(kind)),
            },
            _ => Kind::Json,
        }
    }

    /// The words of an enumeration, also one whose words are described one by one.
    fn words(&self, schema: &'a Value) -> Option<Vec<String>> {
        let one = |schema: &'a Value| {
            schema["enum"].as_array()?.iter().map(|word| word.as_str().map(str::to_owned)).collect()
        };
        let variants = schema["oneOf"].as_array();
        match variants {
            None => one(schema),
            Some(variants) => {
                let all: Option<Vec<Vec<String>>> =
                    variants.iter().map(|variant| one(self.resolve(variant))).collect();
                all.map(|all| all.into_iter().flatten().collect())
            }
        }
    }

    /// Whether every alternative is text, such as an id or a name.
    fn is_text(&self, schema: &'a Value) -> bool {
        let alternatives = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array());
        alternatives.is_some_and(|all| all.iter().all(|one| self.resolve(one)["type"] == "string"))
    }

    /// A value that shows what a schema asks for.
    fn template(&self, schema: &'a Value, depth: usize) -> Value {
        let schema = self.resolve(schema);
        if depth > DEEPEST {
            return Value::Null;
        }
        if let Some(words) = self.words(schema) {
            return words.first().cloned().map_or(Value::Null, Value::String);
        }
        if let Some(default) = schema.get("default") {
            return default.clone();
        }
        let mut object = Map::new();
        for part in schema["allOf"].as_array().into_iter().flatten() {
            if let Value::Object(part) = self.template(part, depth + 1) {
                object.extend(part);
            }
        }
        let alternatives = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array());
        if let Some(first) = alternatives.and_then(|all| all.first()) {
            return self.template(first, depth + 1);
        }
        for (name, value) in schema["properties"].as_object().into_iter().flatten() {
            object.insert(name.clone(), self.template(value, depth + 1));
        }
        match schema["type"].as_str() {
            Some("string") => Value::from(""),
            Some("integer" | "number") => Value::from(0),
            Some("boolean") => Value::from(false),
            Some("array") => Value::Array(Vec::new()),
            _ => Value::Object(object),
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = r##"{
        "paths": { "/v1/disks/{disk}": { "put": {
            "operationId": "disk_update", "summary": "Update a disk",
            "parameters": [{ "name": "disk", "in": "path", "required": true, "schema": { "$ref": "#/components/schemas/NameOrId" } }],
            "requestBody": { "content": { "application/json": { "schema": { "allOf": [
                { "$ref": "#/components/schemas/Named" },
                { "type": "object", "required": ["size"], "properties": {
                    "size": { "allOf": [{ "$ref": "#/components/schemas/ByteCount" }], "description": "How large it is" },
                    "mode": { "oneOf": [{ "enum": ["a"] }, { "enum": ["b"] }] },
                    "names": { "type": "array", "items": { "type": "string" } },
                    "source": { "oneOf": [{ "type": "object", "properties": { "type": { "enum": ["blank"] } } }] }
                } }
            ] } } } }
        } } },
        "components": { "schemas": {
            "NameOrId": { "oneOf": [{ "type": "string", "format": "uuid" }, { "type": "string" }] },
            "Named": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } },
            "ByteCount": { "type": "integer" }
        } }
    }"##;

    #[test]
    fn operations_have_parameters_and_properties() {
        let operations = operations(DOCUMENT).unwrap();
        let [operation] = operations.as_slice() else { panic!("{operations:?}") };
        assert_eq!((operation.method.as_str(), operation.summary.as_str()), ("PUT", "Update a disk"));
        assert_eq!(operation.parameters[0].kind, Kind::Text);
        let Body::Json { properties, template } = &operation.body else { panic!("{operation:?}") };
        let kinds: Vec<_> =
            properties.iter().map(|property| (property.name.as_str(), property.kind.clone())).collect();
        assert_eq!(
            kinds,
            [
                ("name", Kind::Text),
                ("mode", Kind::Choice(vec!["a".to_owned(), "b".to_owned()])),
                ("names", Kind::Many(Box::new(Kind::Text))),
                ("size", Kind::Bytes),
                ("source", Kind::Json),
            ]
        );
        assert!(properties[3].required && !properties[2].required);
        assert_eq!(properties[3].help, "How large it is");
        let expected = serde_json::json!({ "name": "", "size": 0, "mode": "a", "names": [], "source": { "type": "blank" } });
        assert_eq!(*template, expected);
    }
}
