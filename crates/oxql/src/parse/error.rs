/// A syntax error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// It is longer than [`super::LONGEST_QUERY`].
    #[error("Queries must be <= {} characters", super::LONGEST_QUERY)]
    TooLong,
    /// An unexpected token.
    #[error("Error at {line}:{column}: .. {excerpt} ..\n{caret:>indent$}\nExpected: {expected}", caret = '^')]
    Unexpected {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// The byte offset in the text without surrounding white space.
        offset: usize,
        /// An excerpt around the position.
        excerpt: String,
        /// The column of the caret in the excerpt, from 1.
        indent: usize,
        /// The expected tokens.
        expected: String,
    },
}

/// Number of characters shown before and after the position.
const CONTEXT: usize = 24;

impl SyntaxError {
    /// Creates the error for an offset, which must be a character boundary.
    pub(super) fn at(text: &str, offset: usize, expected: String) -> Self {
        let (before, after) = text.split_at(offset);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&character| character != '\n').count() + 1;
        let visible = |character: char| if character.is_control() { ' ' } else { character };
        let mut excerpt: Vec<char> = before.chars().rev().take(CONTEXT).map(visible).collect();
        excerpt.reverse();
        let lead = format!("Error at {line}:{column}: .. ");
        let indent = lead.len() + excerpt.len() + 1;
        excerpt.extend(after.chars().take(CONTEXT).map(visible));
        Self::Unexpected { line, column, offset, excerpt: excerpt.into_iter().collect(), indent, expected }
    }
}
