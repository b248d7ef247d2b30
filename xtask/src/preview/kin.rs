//! The order of the module's functions. What compresses best is what resembles what stands before it, and functions
//! resemble each other that are the same code for other types, the more so if they are as long.

use crate::failure::{Failure, Outcome};

/// What a module begins with: its kind and version.
const HEADER: usize = 8;
/// Numbers of sections.
const CUSTOM: u8 = 0;
const IMPORTS: u8 = 2;
const CODE: u8 = 10;
/// The custom section that names functions.
const NAMES: &str = "name";
/// The part of it that does.
const FUNCTIONS: u8 = 1;

/// Gives each function the number of its place as its name, kin beside kin. What else is named loses its name.
pub fn rename(module: &[u8]) -> Outcome<Vec<u8>> {
    let mut renamed = module.get(..HEADER).ok_or_else(cut_off)?.to_vec();
    let mut reader = Reader(&module[HEADER..]);
    let (mut imported, mut lengths, mut names) = (0, Vec::new(), Vec::new());
    while !reader.0.is_empty() {
        let (section, content) = (reader.byte()?, reader.block()?);
        let mut inside = Reader(content);
        match section {
            CUSTOM if inside.text()? == NAMES => {
                names = functions(inside)?;
                continue;
            }
            IMPORTS => imported = inside.imported_functions()?,
            CODE => {
                lengths = (0..inside.number()?).map(|_| Ok(inside.block()?.len())).collect::<Outcome<_>>()?;
            }
            _ => {}
        }
        renamed.push(section);
        put_block(&mut renamed, content);
    }
    let body_length =
        |function: usize| function.checked_sub(imported).and_then(|body| lengths.get(body)).copied();
    let kin = |name| kin(&format!("{:#}", rustc_demangle::demangle(name)));
    let mut order: Vec<_> =
        names.into_iter().map(|(function, name)| (kin(name), body_length(function), function)).collect();
    order.sort_unstable();
    renamed.push(CUSTOM);
    put_block(&mut renamed, &names_of(order.into_iter().map(|(.., function)| function)));
    Ok(renamed)
}

/// The section that names functions by their places.
fn names_of(order: impl Iterator<Item = usize>) -> Vec<u8> {
    let mut places: Vec<_> = order.enumerate().map(|(place, function)| (function, place)).collect();
    places.sort_unstable();
    let mut functions = Vec::new();
    put_number(&mut functions, places.len());
    for (function, place) in places {
        put_number(&mut functions, function);
        put_block(&mut functions, format!("{place:08}").as_bytes());
    }
    let mut section = Vec::new();
    put_block(&mut section, NAMES.as_bytes());
    section.push(FUNCTIONS);
    put_block(&mut section, &functions);
    section
}

/// The functions that a section names, by their numbers.
fn functions(mut section: Reader<'_>) -> Outcome<Vec<(usize, &str)>> {
    while !section.0.is_empty() {
        let (part, content) = (section.byte()?, section.block()?);
        if part == FUNCTIONS {
            let mut content = Reader(content);
            return (0..content.number()?).map(|_| Ok((content.number()?, content.text()?))).collect();
        }
    }
    Ok(Vec::new())
}

/// What a function is called apart from types: those that it is for, and those that it belongs to.
fn kin(path: &str) -> String {
    let parts = split(path, "::");
    let of_type = parts[0].strip_prefix('<').and_then(|head| head.strip_suffix('>'));
    let head = match of_type.map(|head| split(head, " as ")) {
        Some(head) if head.len() > 1 => format!("<{}>", without_arguments(head[1])),
        Some(head) => without_arguments(head[0]),
        None => without_arguments(parts[0]),
    };
    let rest = parts[1..].iter().map(|part| without_arguments(part));
    [head].into_iter().chain(rest).collect::<Vec<_>>().join("::")
}

/// What is between separators that stand in no brackets.
fn split<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, character) in text.char_indices() {
        match character {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if text[..at].ends_with('-') => {}
            '>' | ')' | ']' | '}' => depth -= 1,
            _ if depth == 0 && at >= start && text[at..].starts_with(separator) => {
                parts.push(&text[start..at]);
                start = at + separator.len();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// A path without what stands in angle brackets.
fn without_arguments(path: &str) -> String {
    let (mut rest, mut depth) = (String::new(), 0);
    for (at, character) in path.char_indices() {
        match character {
            '<' => depth += 1,
            '>' if !path[..at].ends_with('-') => depth -= 1,
            _ if depth == 0 => rest.push(character),
            _ => {}
        }
    }
    rest
}

fn cut_off() -> Failure {
    Failure::new("the module is cut off")
}

/// What is left of a module, or of a part of it.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Outcome<u8> {
        let (first, rest) = self.0.split_first().ok_or_else(cut_off)?;
        self.0 = rest;
        Ok(*first)
    }

    /// A number in groups of seven bits, the least first.
    fn number(&mut self) -> Outcome<usize> {
        let mut number = 0;
        for shift in (0..usize::BITS).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Failure::new("a number of the module is too long"))
    }

    /// Bytes after the number of them.
    fn block(&mut self) -> Outcome<&'a [u8]> {
        let length = self.number()?;
        let (block, rest) = self.0.split_at_checked(length).ok_or_else(cut_off)?;
        self.0 = rest;
        Ok(block)
    }

    fn text(&mut self) -> Outcome<&'a str> {
        std::str::from_utf8(self.block()?).map_err(|_| Failure::new("a name in the module is no UTF-8"))
    }

    fn imported_functions(&mut self) -> Outcome<usize> {
        let count = self.number()?;
        for _ in 0..count {
            let (_, name, kind) = (self.block()?, self.text()?, self.byte()?);
            if kind != 0 {
                return Err(Failure::new(format!("the module imports {name:?}, which is no function")));
            }
            self.number()?;
        }
        Ok(count)
    }
}

fn put_number(to: &mut Vec<u8>, number: usize) {
    let mut rest = number;
    while rest > 0x7f {
        to.push(rest.to_le_bytes()[0] | 0x80);
        rest >>= 7;
    }
    to.push(rest.to_le_bytes()[0]);
}

fn put_block(to: &mut Vec<u8>, block: &[u8]) {
    put_number(to, block.len());
    to.extend_from_slice(block);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kin_are_called_the_same() {
        for (path, expected) in [
            ("core::ptr::drop_in_place::<[croft_api::Error]>", "core::ptr::drop_in_place::"),
            ("<alloc::vec::Vec<u8>>::push", "alloc::vec::Vec::push"),
            ("<a::B<fn(u8) -> c::D> as e::F<G>>::h::<i::J>::{closure#0}", "<e::F>::h::::{closure#0}"),
            ("sqlite3VdbeExec", "sqlite3VdbeExec"),
        ] {
            assert_eq!(kin(path), expected);
        }
    }

    /// Sections of a module with three functions, the first of them imported.
    fn module(names: &[(u8, &str)]) -> Vec<u8> {
        let mut functions = vec![u8::try_from(names.len()).unwrap()];
        for (function, name) in names {
            functions.push(*function);
            put_block(&mut functions, name.as_bytes());
        }
        let mut section = vec![4, b'n', b'a', b'm', b'e', FUNCTIONS];
        put_block(&mut section, &functions);
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        for (number, content) in [
            (IMPORTS, &[1, 1, b'm', 1, b'f', 0, 0][..]),
            (CODE, &[2, 3, 0, 1, 11, 2, 0, 11]),
            (CUSTOM, &section),
        ] {
            module.push(number);
            put_block(&mut module, content);
        }
        module
    }

    #[test]
    fn the_shorter_of_kin_comes_first() {
        let named = module(&[(0, "f"), (1, "a::<b>"), (2, "a::<c>")]);
        let places = [(0, "00000002"), (1, "00000001"), (2, "00000000")];
        assert_eq!(rename(&named).unwrap(), module(&places));
        for length in 0..named.len() - 1 {
            let _ = rename(&named[..length]);
        }
        assert!(rename(&named[..named.len() - 1]).is_err());
    }
}
