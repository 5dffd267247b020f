/* Finds keysyms of X, which are numbers for keys, by name. */
#ifndef DEJANK_DRIVE_INJECT_X_KEYS_H
#define DEJANK_DRIVE_INJECT_X_KEYS_H

#include <stdbool.h>
#include <stdint.h>

/* Sets the keysym for a name such as "back", "enter", "page_down", "f5", "a" or
 * "KEYCODE_TAB". For an Android name, the keysym is that of the most similar key on a
 * desktop keyboard. Returns false for unknown names. */
bool dj_x_keys_find(const char *name, uint32_t *keysym);

#endif
