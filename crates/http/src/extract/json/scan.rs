//! The tokens of a JSON text, and which objects and lists each of them is in.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The bracket that begins an object or a list.
    Open,
    /// The bracket that ends one.
    Close,
    Comma,
    Colon,
    /// The name of an object's member.
    Key,
    /// A text, a number, or one of the three words.
    Scalar,
    /// Anything that cannot stand where it does, or that the text ends within. Nothing is read behind it.
    Wrong,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// The value of the whole text, or that of a member.
    Value,
    /// An element of a list, or its end.
    FirstElement,
    /// An element of a list.
    Element,
    /// A key, or the end of the object.
    FirstKey,
    /// A key.
    Key,
    Colon,
    /// A comma, or the end of the object or list.
    Next,
}

/// An object or a list that has begun and not ended.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// Where its bracket is.
    pub(super) open: usize,
    pub(super) is_object: bool,
    /// The latest key, in its quotes; of an object.
    pub(super) key: Range<usize>,
    /// The place of the latest element; of a list.
    pub(super) index: usize,
}

/// Reads a JSON text token by token. Of what stands within quotes it looks at what its end depends on.
pub(super) struct Scanner<'a> {
    text: &'a [u8],
    position: usize,
    pub(super) frames: Vec<Frame>,
    pub(super) expected: Expected,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, position: 0, frames: Vec::new(), expected: Expected::Value }
    }

    /// The token that comes next; none at the end of the text, and none behind its value.
    pub(super) fn token(&self) -> Option<Token> {
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r');
        let start = self.position + self.text[self.position..].iter().position(|byte| !is_space(byte))?;
        if self.expected == Expected::Next && self.frames.is_empty() {
            return None;
        }
        let (kind, whole) = match (self.expected, self.text[start]) {
            (Expected::FirstElement, b']') | (Expected::FirstKey, b'}') | (Expected::Next, b']' | b'}')
                if self.closes(start) =>
            {
                (Kind::Close, Ok(start + 1))
            }
            (Expected::Next, b',') => (Kind::Comma, Ok(start + 1)),
            (Expected::Colon, b':') => (Kind::Colon, Ok(start + 1)),
            (Expected::FirstKey | Expected::Key, b'"') => (Kind::Key, self.text_end(start)),
            (Expected::Value | Expected::FirstElement | Expected::Element, b'{' | b'[') => {
                (Kind::Open, Ok(start + 1))
            }
            (Expected::Value | Expected::FirstElement | Expected::Element, _) => {
                (Kind::Scalar, self.scalar_end(start))
            }
            _ => (Kind::Wrong, Err(start + 1)),
        };
        Some(match whole {
            Ok(end) => Token { kind, start, end },
            Err(end) => Token { kind: Kind::Wrong, start, end: end.min(self.text.len()) },
        })
    }

    /// Goes behind the token that comes next; to the end of the text if that is wrong.
    pub(super) fn step(&mut self, token: Token) {
        self.position = if token.kind == Kind::Wrong { self.text.len() } else { token.end };
        let frame = self.frames.last_mut();
        self.expected = match (token.kind, frame) {
            (Kind::Open, _) => {
                let is_object = self.text[token.start] == b'{';
                self.frames.push(Frame { open: token.start, is_object, key: 0..0, index: 0 });
                if is_object { Expected::FirstKey } else { Expected::FirstElement }
            }
            (Kind::Close, _) => {
                self.frames.pop();
                Expected::Next
            }
            (Kind::Comma, Some(list)) if !list.is_object => {
                list.index += 1;
                Expected::Element
            }
            (Kind::Comma, _) => Expected::Key,
            (Kind::Key, Some(object)) => {
                object.key = token.start..token.end;
                Expected::Colon
            }
            (Kind::Colon, _) => Expected::Value,
            (Kind::Scalar | Kind::Key | Kind::Wrong, _) => Expected::Next,
        };
    }

    fn closes(&self, position: usize) -> bool {
        self.frames.last().is_some_and(|frame| frame.is_object == (self.text[position] == b'}'))
    }

    /// Where a scalar ends; as an error, where it turned out to be none.
    fn scalar_end(&self, start: usize) -> Result<usize, usize> {
        match self.text[start] {
            b'"' => self.text_end(start),
            b't' => self.word_end(start, b"true"),
            b'f' => self.word_end(start, b"false"),
            b'n' => self.word_end(start, b"null"),
            b'-' | b'0'..=b'9' => self.number_end(start),
            _ => Err(start + 1),
        }
    }

    fn text_end(&self, start: usize) -> Result<usize, usize> {
        let mut position = start + 1;
        while let Some(byte) = self.text.get(position) {
            match byte {
                b'"' => return Ok(position + 1),
                b'\\' if self.text.get(position + 1) == Some(&b'u') => {
                    let digits = self.text.iter().skip(position + 2).take(4);
                    if digits.filter(|digit| digit.is_ascii_hexdigit()).count() < 4 {
                        return Err(position + 6);
                    }
                    position += 6;
                }
                b'\\' => position += 2,
                _ => position += 1,
            }
        }
        Err(position)
    }

    fn word_end(&self, start: usize, word: &[u8]) -> Result<usize, usize> {
        let same =
            self.text[start..].iter().zip(word).take_while(|(byte, expected)| byte == expected).count();
        if same == word.len() { Ok(start + same) } else { Err(start + same + 1) }
    }

    fn number_end(&self, start: usize) -> Result<usize, usize> {
        let at = |position: usize| self.text.get(position).copied().unwrap_or_default();
        let mut position = start + usize::from(at(start) == b'-');
        if at(position) == b'0' {
            position += 1;
            if at(position).is_ascii_digit() {
                return Err(position + 1);
            }
        } else {
            position = self.digits_end(position)?;
        }
        if at(position) == b'.' {
            position = self.digits_end(position + 1)?;
        }
        if matches!(at(position), b'e' | b'E') {
            position += 1;
            position = self.digits_end(position + usize::from(matches!(at(position), b'+' | b'-')))?;
        }
        Ok(position)
    }

    /// Where at least one digit ends.
    fn digits_end(&self, start: usize) -> Result<usize, usize> {
        let digits = self.text[start.min(self.text.len())..].iter();
        match digits.take_while(|byte| byte.is_ascii_digit()).count() {
            0 => Err(start + 1),
            count => Ok(start + count),
        }
    }
}
