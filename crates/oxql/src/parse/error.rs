/// A text that is not a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// More than [`super::LONGEST_QUERY`] bytes.
    #[error("Queries must be <= {} characters", super::LONGEST_QUERY)]
    TooLong,
    /// Something else was expected somewhere.
    #[error("Error at {line}:{column}: .. {excerpt} ..\n{caret:>indent$}\nExpected: {expected}", caret = '^')]
    Unexpected {
        /// The line, from 1.
        line: usize,
        /// The character in the line, from 1.
        column: usize,
        /// Where in the text without the white space around it, in bytes.
        offset: usize,
        /// The text around the place.
        excerpt: String,
        /// Where the caret stands, in characters from 1.
        indent: usize,
        /// What could have stood there.
        expected: String,
    },
}

/// How many characters are shown before and after the place.
const CONTEXT: usize = 24;

impl SyntaxError {
    /// Something was expected at an offset of a text, which is the boundary of a character.
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
