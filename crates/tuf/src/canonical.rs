//! Canonical JSON, which is signed: sorted keys, no whitespace, minimal escapes, integers only.

use serde_json::Value;

/// The canonical form of a value. Returns `None` if it contains numbers that are not integers, which have no canonical
/// form.
pub(crate) fn canonical(value: &Value) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    write(value, &mut bytes)?;
    Some(bytes)
}

fn write(value: &Value, to: &mut Vec<u8>) -> Option<()> {
    match value {
        Value::Null => to.extend(b"null"),
        Value::Bool(true) => to.extend(b"true"),
        Value::Bool(false) => to.extend(b"false"),
        Value::Number(number) if number.is_i64() || number.is_u64() => to.extend(number.to_string().bytes()),
        Value::Number(_) => return None,
        Value::String(text) => write_text(text, to),
        Value::Array(items) => {
            to.push(b'[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    to.push(b',');
                }
                write(item, to)?;
            }
            to.push(b']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(key, _)| key.as_bytes());
            to.push(b'{');
            for (position, (key, member)) in members.into_iter().enumerate() {
                if position > 0 {
                    to.push(b',');
                }
                write_text(key, to);
                to.push(b':');
                write(member, to)?;
            }
            to.push(b'}');
        }
    }
    Some(())
}

fn write_text(text: &str, to: &mut Vec<u8>) {
    to.push(b'"');
    for byte in text.bytes() {
        if matches!(byte, b'"' | b'\\') {
            to.push(b'\\');
        }
        to.push(byte);
    }
    to.push(b'"');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn there_is_one_form() {
        let value = json!({ "b": [1, -2, true, null], "a": { "\"": "\\ \n \u{e9}" }, "A": "" });
        let text = String::from_utf8(canonical(&value).unwrap()).unwrap();
        assert_eq!(text, "{\"A\":\"\",\"a\":{\"\\\"\":\"\\\\ \n \u{e9}\"},\"b\":[1,-2,true,null]}");
        assert_eq!(canonical(&json!([1.5])), None);
        assert_eq!(canonical(&json!(18_446_744_073_709_551_615_u64)).unwrap(), b"18446744073709551615");
    }
}
