//! One element of DER after another.

use der::{Error, Reader as _, SliceReader, Tag, TagNumber, Tagged as _, asn1::AnyRef};

/// The elements that stand in a row. All of them are taken, or what they are in is malformed.
pub(crate) struct Elements<'a>(SliceReader<'a>);

impl<'a> Elements<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Result<Self, Error> {
        Ok(Self(SliceReader::new(bytes)?))
    }

    pub(crate) fn any(&mut self) -> Result<AnyRef<'a>, Error> {
        self.0.decode()
    }

    /// The next element, which has this tag.
    pub(crate) fn next(&mut self, tag: Tag) -> Result<AnyRef<'a>, Error> {
        let element = self.any()?;
        element.tag().assert_eq(tag)?;
        Ok(element)
    }

    /// The elements within the next one, which has this tag.
    pub(crate) fn within(&mut self, tag: Tag) -> Result<Self, Error> {
        Self::of(self.next(tag)?.value())
    }

    /// The next element if it has this tag.
    pub(crate) fn optional(&mut self, tag: Tag) -> Result<Option<AnyRef<'a>>, Error> {
        if self.0.is_finished() || Tag::peek(&self.0)? != tag {
            return Ok(None);
        }
        self.any().map(Some)
    }

    /// The next element with its tag and its length.
    pub(crate) fn whole(&mut self) -> Result<&'a [u8], Error> {
        self.0.tlv_bytes()
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    /// Checks that no element is left.
    pub(crate) fn end(self) -> Result<(), Error> {
        self.0.finish()
    }
}

/// The tag of what has a number instead of a tag of its kind.
pub(crate) const fn context(number: u32, constructed: bool) -> Tag {
    Tag::ContextSpecific { constructed, number: TagNumber(number) }
}
