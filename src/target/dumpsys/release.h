/* The option --release R (or --release=R) of all services that print in the format of
 * an Android release. */
#ifndef DEJANK_DUMPSYS_RELEASE_H
#define DEJANK_DUMPSYS_RELEASE_H

enum {
    DJ_RELEASE_WORDS_MAX = 64 /* Maximum number of words. Further words are ignored. */
};

/* Removes the option from the words. Copies all other words to `other_words`, an array of
 * DJ_RELEASE_WORDS_MAX elements, and returns their number. Sets *release to R, or to ""
 * if R is missing. Does not change *release if the option is missing. */
int dj_release_extract(int all, char *const *words, const char **other_words,
                       const char **release);

/* Reports an unknown release on stderr. Returns DJ_OUTPUT_USAGE. */
int dj_release_report_unknown(const char *release);

#endif
