//! Which value of a JSON text could not be read.
//!
//! A deserializer that keeps the path has every type compiled once more. So the path is found when it is needed: the
//! text is read again up to some of its tokens, which tells at which one reading ends, and with a little changed
//! where that alone does not tell what the token was taken for. Paths are those of `serde_path_to_error`.
//!
//! Two things cannot be told, and no body has them: lists that are refused before all their elements were read, and
//! objects whose keys are read as numbers.

use std::iter;

use serde_json::Error;

use super::scan::{Expected, Frame, Kind, Scanner, Token};

/// How many tokens before the one that follows the reported position the failing one may be: behind a bad element of
/// a list the comma is taken too, and behind a bad member the bracket of its object.
const REPORTED_LATE: usize = 2;

/// A number that can be skipped, but not read.
const OUT_OF_RANGE: &[u8] = b"1e999";

/// Tells the error of reading a text as some type.
pub(super) type ErrorOf<'a> = &'a dyn Fn(&[u8]) -> Option<Error>;

/// The path of the value at which reading a text ended with an error; none if that is the whole text. `error_of` is
/// that of the type that was read.
pub(super) fn path_of(text: &[u8], error: &Error, error_of: ErrorOf<'_>) -> Option<String> {
    let attempt = Attempt { text, error_of };
    let (mut scanner, token) = attempt.stop(error);
    let place = attempt.place(&mut scanner, token, error);
    attempt.path(&scanner.frames, place)
}

/// How many objects and lists a path leads through, and what stands at its end besides.
struct Place {
    depth: usize,
    last: Option<Segment>,
}

enum Segment {
    Index(usize),
    /// A key, or a variant.
    Key(String),
    /// A key that could not be read.
    Unknown,
}

impl Place {
    fn at(depth: usize) -> Self {
        Self { depth, last: None }
    }
}

struct Attempt<'a> {
    text: &'a [u8],
    error_of: ErrorOf<'a>,
}

impl<'a> Attempt<'a> {
    /// The error of a text that is this one up to `end` and goes on with `more`; none if it can be read or all that
    /// is wrong is that it ends.
    fn error(&self, end: usize, more: &[&[u8]]) -> Option<Error> {
        let text = [&[&self.text[..end]], more].concat().concat();
        (self.error_of)(&text).filter(|error| !error.is_eof())
    }

    fn accepts(&self, end: usize, more: &[&[u8]]) -> bool {
        self.error(end, more).is_none()
    }

    /// What was read before the first token that cannot be, and that token; none if the text ends too early.
    fn stop(&self, error: &Error) -> (Scanner<'a>, Option<Token>) {
        let end = if error.is_eof() { usize::MAX } else { self.failing_end(error) };
        let mut scanner = Scanner::new(self.text);
        loop {
            match scanner.token() {
                Some(token) if token.kind != Kind::Wrong && token.end < end => scanner.step(token),
                token => return (scanner, token),
            }
        }
    }

    /// Where the first token ends that cannot be read. It is looked for near the reported position first.
    fn failing_end(&self, error: &Error) -> usize {
        let mut scanner = Scanner::new(self.text);
        let tokens = iter::from_fn(|| scanner.token().inspect(|token| scanner.step(*token)));
        let ends: Vec<usize> = tokens.map(|token| token.end).collect();
        let reported = reported_position(self.text, error);
        let following = ends.partition_point(|end| *end <= reported);
        let near = following.saturating_sub(REPORTED_LATE)..(following + 1).min(ends.len());
        let passes = |end: &usize| self.accepts(*end, &[]);
        let is_near =
            ends[..near.start].last().is_none_or(passes) && !ends[..near.end].last().is_none_or(passes);
        let range = if is_near { near } else { 0..ends.len() };
        let passing = ends[range.clone()].partition_point(passes);
        ends.get(range.start + passing).copied().unwrap_or(usize::MAX)
    }

    /// Where an error at a token belongs. The scanner stands before the token, and goes behind it if it is a key.
    fn place(&self, scanner: &mut Scanner<'a>, token: Option<Token>, error: &Error) -> Place {
        let depth = scanner.frames.len();
        let Some(frame) = scanner.frames.last().cloned() else {
            return Place { depth, last: token.and_then(|token| self.lone_variant(token, error)) };
        };
        let container = Place::at(depth - 1);
        match (scanner.expected, token) {
            (_, Some(Token { kind: Kind::Close | Kind::Comma, .. }))
            | (Expected::Colon, _)
            | (Expected::FirstElement | Expected::Element, None) => container,
            // Whether there is another element is looked at before one is read.
            (Expected::Element, Some(token)) if self.text[token.start] == b']' => container,
            (Expected::Value | Expected::FirstElement | Expected::Element, token) => match token {
                Some(token) if self.is_fault_of_object(&frame, token, error) => container,
                token => Place { depth, last: token.and_then(|token| self.lone_variant(token, error)) },
            },
            (Expected::Next, _) if !frame.is_object => container,
            // A key that is only bad because of those before it stands twice, which the object finds.
            (_, Some(token)) if token.kind == Kind::Key && error.is_data() => {
                scanner.step(token);
                let is_bad_alone = !self.accepts(frame.open + 1, &[self.bytes(token)]);
                if is_bad_alone && !self.is_enum(&frame) { Place::at(depth) } else { container }
            }
            // Where there is no key yet, it is the key's fault, unless the object may have one alone.
            (Expected::FirstKey | Expected::Key | Expected::Next, _) => {
                Place { depth: depth - 1, last: (!self.is_enum(&frame)).then_some(Segment::Unknown) }
            }
        }
    }

    /// Whether a value is well and the object around it is not: it is told by the tag that stands behind a content how
    /// that content should have been.
    fn is_fault_of_object(&self, frame: &Frame, token: Token, error: &Error) -> bool {
        if !frame.is_object || token.kind != Kind::Scalar || !error.is_data() {
            return false;
        }
        // What a scalar's own visitor says is reported where the scalar ends, everything else behind the line break.
        if self.error(token.end, &[b"\n"]).is_some_and(|error| error.column() > 0) {
            return false;
        }
        let key = &self.text[frame.key.clone()];
        let is_bad_alone = !self.accepts(frame.open + 1, &[&self.text[frame.key.start..token.end]]);
        let is_content = self.accepts(frame.open + 1, &[key, b":[]"]);
        !is_bad_alone && !is_content
    }

    /// The variant that a text names, if the error is that its value is not there.
    fn lone_variant(&self, token: Token, error: &Error) -> Option<Segment> {
        let is_lone = || error.to_string().starts_with("invalid type: unit variant, expected ");
        (token.kind == Kind::Scalar && is_lone()).then(|| key(self.bytes(token)))
    }

    /// Whether an object is an enum's: it has one member, whose key is a variant.
    fn is_enum(&self, frame: &Frame) -> bool {
        self.error(frame.open + 1, &[b"}"]).is_some_and(|error| error.is_syntax())
    }

    /// Whether the keys of an object are variants of an enum, which does not say what it reads.
    fn has_variants_as_keys(&self, frame: &Frame) -> bool {
        let is_reported_there = |error: Error| error.is_data() && error.column() > 0;
        self.error(frame.open + 1, &[b"\"\\u0000\"\n"]).is_some_and(is_reported_there) && !self.is_enum(frame)
    }

    /// The path to a place. What was skipped is not looked into, and what was read whatever it is has no variants.
    fn path(&self, frames: &[Frame], place: Place) -> Option<String> {
        let mut segments = Vec::new();
        let mut is_typed = true;
        for (index, frame) in frames.iter().enumerate() {
            if is_typed && self.accepts(frame.open, &[b"0.5"]) {
                if self.accepts(frame.open, &[OUT_OF_RANGE]) {
                    return written(&segments);
                }
                is_typed = false;
            }
            if index < place.depth {
                segments.push(self.segment(frame, is_typed));
            }
        }
        segments.extend(place.last);
        written(&segments)
    }

    fn segment(&self, frame: &Frame, is_typed: bool) -> Segment {
        if !frame.is_object {
            Segment::Index(frame.index)
        } else if is_typed && self.has_variants_as_keys(frame) {
            Segment::Unknown
        } else {
            key(&self.text[frame.key.clone()])
        }
    }

    fn bytes(&self, token: Token) -> &'a [u8] {
        &self.text[token.start..token.end]
    }
}

/// How many bytes of a text had been read when an error was made; all if it does not say.
fn reported_position(text: &[u8], error: &Error) -> usize {
    let Some(lines_before) = error.line().checked_sub(1) else { return text.len() };
    let lines = text.split_inclusive(|byte| *byte == b'\n').take(lines_before);
    lines.map(<[u8]>::len).sum::<usize>() + error.column()
}

fn key(quoted: &[u8]) -> Segment {
    serde_json::from_slice(quoted).map_or(Segment::Unknown, Segment::Key)
}

fn written(segments: &[Segment]) -> Option<String> {
    if segments.iter().all(|segment| matches!(segment, Segment::Unknown)) {
        return None;
    }
    let mut path = String::new();
    for (index, segment) in segments.iter().enumerate() {
        let dot = if index == 0 { "" } else { "." };
        match segment {
            Segment::Index(index) => path.extend(["[", &index.to_string(), "]"]),
            Segment::Key(key) => path.extend([dot, key]),
            Segment::Unknown => path.extend([dot, "?"]),
        }
    }
    Some(path)
}
