/* The words --release R, or --release=R, which all services understand that print as some
 * release of Android. */
#ifndef DEJANK_DUMPSYS_RELEASE_H
#define DEJANK_DUMPSYS_RELEASE_H

enum { DJ_RELEASE_WORDS_MAX = 64 /* words looked at; further ones are passed over */ };

/* Takes them out of the words: Android's rules are about the others, of which `kept` has
 * room for DJ_RELEASE_WORDS_MAX. Returns how many those are. *release is R, "" where none
 * follows, and stays as it was where there is no such word. */
int dj_release_take(int all, char *const *words, const char **kept, const char **release);

/* Says on stderr that there is no such release. Returns DJ_OUTPUT_USAGE. */
int dj_release_complain(const char *release);

#endif
