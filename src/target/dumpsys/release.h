/* The option --release R, or --release=R, of all services that can print in the format
 * of an Android release. */
#ifndef DEJANK_DUMPSYS_RELEASE_H
#define DEJANK_DUMPSYS_RELEASE_H

enum {
    DJ_RELEASE_WORDS_MAX = 64 /* maximum number of words; further ones are ignored */
};

/* Removes the option from the words, because Android's rules apply to the others.
 * Copies the others to `kept`, which has room for DJ_RELEASE_WORDS_MAX. Returns their
 * number. *release receives R, or "" if R is missing. It stays unchanged without the
 * option. */
int dj_release_extract(int all, char *const *words, const char **kept,
                       const char **release);

/* Reports an unknown release on stderr. Returns DJ_OUTPUT_USAGE. */
int dj_release_report_unknown(const char *release);

#endif
