//! The order in which people read names: `disk-2` before `disk-10`.

/// Most digits of a number that are compared as one.
const DIGITS: usize = 64;
/// Between the key and the name. Nothing sorts before it.
const END: char = '\u{1}';

/// A text that sorts bytewise where the name stands in natural order: in lower case, and with numbers by their value. Different
/// names have different keys.
pub fn natural_key(name: &str) -> String {
    let mut key = String::with_capacity(name.len() + 8);
    let mut rest = name.chars().filter(|character| *character != '\0').peekable();
    let mut is_changed = false;
    while let Some(character) = rest.next() {
        if !character.is_ascii_digit() {
            is_changed |= !character.to_lowercase().eq([character]);
            key.extend(character.to_lowercase());
            continue;
        }
        let mut number = String::from(character);
        while let Some(digit) = rest.next_if(|next| next.is_ascii_digit() && number.len() < DIGITS) {
            number.push(digit);
        }
        let value = number.trim_start_matches('0');
        is_changed |= value.len() < number.len();
        // Of two numbers the one with fewer digits is smaller. The first digit keeps numbers where digits sort.
        key.push('0');
        key.push(char::from(b'0' + u8::try_from(value.len()).unwrap_or(b'0')));
        key.push_str(value);
    }
    if is_changed {
        key.push(END);
        key.extend(name.chars().filter(|character| *character != '\0'));
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_sort_by_value() {
        let in_order = [
            "",
            "-",
            "0",
            "1",
            "2",
            "002",
            "10",
            "disk",
            "disk-0",
            "disk-00",
            "disk-1",
            "disk-1-a",
            "disk-1-b",
            "disk-1a",
            "disk-2",
            "disk-02",
            "Disk-2-a",
            "disk-10",
            "disk-99999999999999999999",
            "disk-100000000000000000000",
            "disk-a",
            "diska",
            "e",
            "ä",
        ];
        let mut sorted = in_order;
        sorted.sort_by_key(|name| natural_key(name));
        assert_eq!(sorted, in_order);
    }

    #[test]
    fn different_names_have_different_keys() {
        let names =
            ["a1", "a01", "a001", "A1", "A01", "a11", "a1-1", "1".repeat(200).as_str()].map(str::to_owned);
        let mut keys: Vec<String> = names.iter().map(|name| natural_key(name)).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), names.len());
    }

    #[test]
    fn any_name_has_a_sort_key() {
        let key = natural_key("a\0\u{202e}\u{1F680}%_'\"");
        assert!(!key.contains('\0'));
        assert!(natural_key(&"9".repeat(5_000)).len() < 12_000);
    }
}
