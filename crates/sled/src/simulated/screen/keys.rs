//! Keys of a keyboard as what they type on a serial line.

const DELETE: u32 = 0xffff;

/// Which keys are held that change others.
#[derive(Debug, Default)]
pub(super) struct Keys {
    control: bool,
    alt: bool,
}

/// What a key does.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Pressed {
    /// It types this, which may be nothing.
    Types(Vec<u8>),
    /// It restarts the guest, as Ctrl+Alt+Del does.
    Restarts,
}

impl Keys {
    /// A key, by the number that X11 has for it, goes down or up.
    pub(super) fn change(&mut self, key: u32, is_down: bool) -> Pressed {
        match key {
            0xffe3 | 0xffe4 => self.control = is_down,
            0xffe9 | 0xffea => self.alt = is_down,
            DELETE if is_down && self.control && self.alt => return Pressed::Restarts,
            _ if is_down => return Pressed::Types(self.typed(key)),
            _ => {}
        }
        Pressed::Types(Vec::new())
    }

    fn typed(&self, key: u32) -> Vec<u8> {
        let sequence: &[u8] = match key {
            0xff08 => b"\x7f",
            0xff09 => b"\t",
            0xff0d | 0xff8d => b"\r",
            0xff1b => b"\x1b",
            0xff51 => b"\x1b[D",
            0xff52 => b"\x1b[A",
            0xff53 => b"\x1b[C",
            0xff54 => b"\x1b[B",
            DELETE => b"\x1b[3~",
            _ => return self.character(key),
        };
        sequence.to_vec()
    }

    fn character(&self, key: u32) -> Vec<u8> {
        let code = match key {
            0x20..=0x7e | 0xa0..=0xff => key,
            // Keys of characters beyond Latin 1.
            0x0100_0100..=0x0110_ffff => key - 0x0100_0000,
            _ => return Vec::new(),
        };
        let Some(character) = char::from_u32(code) else { return Vec::new() };
        match u8::try_from(character.to_ascii_uppercase()) {
            Ok(letter @ b'@'..=b'_') if self.control => vec![letter - b'@'],
            _ => character.to_string().into_bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_type_what_terminals_send() {
        let mut keys = Keys::default();
        let mut press = |key| keys.change(key, true);
        let types = |bytes: &[u8]| Pressed::Types(bytes.to_vec());
        assert_eq!(press(u32::from(b'a')), types(b"a"));
        assert_eq!(press(0xe4), types("ä".as_bytes()));
        assert_eq!(press(0x0100_20ac), types("€".as_bytes()));
        assert_eq!(press(0xff0d), types(b"\r"));
        assert_eq!(press(0xffbe), types(b""), "no key that has no code");
        assert_eq!(press(0xffe3), types(b""));
        assert_eq!(press(u32::from(b'c')), types(b"\x03"));
        assert_eq!(press(0xffe9), types(b""));
        assert_eq!(press(DELETE), Pressed::Restarts);
        assert_eq!(keys.change(0xffe3, false), types(b""));
        assert_eq!(keys.change(DELETE, true), types(b"\x1b[3~"));
    }
}
