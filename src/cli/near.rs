//! What may have been meant by a name that is none.

use strsim::osa_distance;

/// The first of the names that are nearest to the word: one slip of the hand away (a letter too many, too few or another,
/// or two in the wrong order), of a long word two. Names that begin as the word does are preferred.
pub(crate) fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = match word.len() {
        // Half of all names of two letters are near to any other.
        0..3 => return None,
        3..8 => 1,
        _ => 2,
    };
    let word = word.to_lowercase();
    let slips = names.map(|name| (osa_distance(&word, name), name)).filter(|&(slips, _)| slips <= most);
    slips.min_by_key(|&(slips, name)| (slips, name.chars().next() != word.chars().next())).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_of_the_hand() {
        let near = |word| nearest(word, ["http", "ftp", "gopher", "prospero", "ntp"].into_iter());
        for word in ["htpp", "hhttp", "HTTTP", "htt", "hxtp", "htp"] {
            assert_eq!(near(word), Some("http"), "{word}");
        }
        assert_eq!((near("fpt"), near("gohper"), near("porspreo")), (Some("ftp"), Some("gopher"), Some("prospero")));
        for word in ["", "ht", "hppt", "goph", "foo", "prosaic"] {
            assert_eq!(near(word), None, "{word}");
        }
    }
}
