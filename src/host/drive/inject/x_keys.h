/* Finds keysyms of X, which are numbers for keys, by name. */
#ifndef DEJANK_DRIVE_INJECT_X_KEYS_H
#define DEJANK_DRIVE_INJECT_X_KEYS_H

#include <stdbool.h>
#include <stdint.h>

/* Sets the keysym for a name such as "back", "enter", "page_down", "f5", "a" or
 * "KEYCODE_TAB". For Android names, this is the closest key of a desktop. Returns false
 * for unknown names. */
bool dj_x_keys_find(const char *name, uint32_t *keysym);

#endif
