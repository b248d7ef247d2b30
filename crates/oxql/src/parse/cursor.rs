use super::SyntaxError;

/// A position in a text, with the tokens that were expected there.
pub(super) struct Cursor<'a> {
    text: &'a str,
    position: usize,
    missed: Vec<&'static str>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, position: 0, missed: Vec::new() }
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    pub(super) fn is_at(&self, token: &str) -> bool {
        self.rest().starts_with(token)
    }

    /// Whether the next token is this whole word.
    pub(super) fn is_at_word(&self, word: &str) -> bool {
        self.rest().strip_prefix(word).is_some_and(|rest| !rest.starts_with(in_word))
    }

    pub(super) fn is_at_identifier(&self) -> bool {
        self.rest().starts_with(|first: char| first.is_ascii_lowercase())
    }

    pub(super) fn advance(&mut self, bytes: usize) {
        if bytes > 0 {
            self.position += bytes;
            self.missed.clear();
        }
    }

    /// Consumes characters while a condition holds.
    pub(super) fn take_while(&mut self, condition: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|character| !condition(character)).unwrap_or(rest.len())];
        self.advance(taken.len());
        taken
    }

    /// Consumes a token if it is next. Otherwise records that it was expected.
    pub(super) fn eat(&mut self, token: &'static str) -> bool {
        let found = self.is_at(token);
        self.take_or_miss(found, token)
    }

    /// Like [`Self::eat`], for a whole word.
    pub(super) fn eat_word(&mut self, word: &'static str) -> bool {
        let found = self.is_at_word(word);
        self.take_or_miss(found, word)
    }

    fn take_or_miss(&mut self, found: bool, token: &'static str) -> bool {
        if found {
            self.advance(token.len());
        } else {
            self.missed.push(token);
        }
        found
    }

    pub(super) fn require(&mut self, token: &'static str) -> Result<(), SyntaxError> {
        if self.eat(token) { Ok(()) } else { Err(self.unexpected("")) }
    }

    pub(super) fn skip_space(&mut self) -> bool {
        !self.take_while(|character| matches!(character, ' ' | '\t' | '\n')).is_empty()
    }

    pub(super) fn require_space(&mut self) -> Result<(), SyntaxError> {
        if self.skip_space() { Ok(()) } else { Err(self.unexpected("white space")) }
    }

    /// Consumes an identifier: lower-case letters, then lower-case letters and digits, in parts joined by single
    /// underscores.
    pub(super) fn identifier(&mut self) -> Result<&'a str, SyntaxError> {
        if !self.is_at_identifier() {
            return Err(self.unexpected("identifier"));
        }
        let rest = self.rest();
        let mut end = 0;
        for part in rest.split('_') {
            let length = part
                .find(|character: char| !character.is_ascii_lowercase() && !character.is_ascii_digit())
                .unwrap_or(part.len());
            if length == 0 {
                break;
            }
            end += length + usize::from(end > 0);
            if length < part.len() {
                break;
            }
        }
        self.advance(end);
        Ok(&rest[..end])
    }

    /// An error with a single expected token, here.
    pub(super) fn error(&self, expected: impl Into<String>) -> SyntaxError {
        self.error_at(self.position, expected)
    }

    /// An error with a single expected token, at an earlier position.
    pub(super) fn error_at(&self, position: usize, expected: impl Into<String>) -> SyntaxError {
        SyntaxError::at(self.text, position, expected.into())
    }

    /// Adds expected tokens: those recorded before, and `more` unless it is empty.
    pub(super) fn unexpected(&mut self, more: &'static str) -> SyntaxError {
        if !more.is_empty() {
            self.missed.push(more);
        }
        self.missed.sort_unstable();
        self.missed.dedup();
        self.error(self.missed.join(", "))
    }
}

fn in_word(character: char) -> bool {
    character.is_ascii_lowercase() || character.is_ascii_digit() || character == '_'
}
