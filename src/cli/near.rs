//! Suggestions for a name that does not exist.

use strsim::osa_distance;

/// Returns the name nearest to the word, if one is near. It may be one typing error away, or two if
/// the word has at least eight bytes. A word of one or two bytes has no near name. An error is an
/// extra, missing or wrong letter, or two letters swapped. Among equally near names, one with the
/// word's first letter is preferred, then the first one.
pub(crate) fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = match word.len() {
        // Half of all two-letter names are one error away from any other.
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
