/* Keys by name, as X knows them. */
#ifndef DEJANK_DRIVE_X_KEYS_H
#define DEJANK_DRIVE_X_KEYS_H

#include <stdbool.h>
#include <stdint.h>

/* The keysym of "back", "enter", "page_down", "f5", "a", "KEYCODE_TAB". Android's names
 * mean what comes nearest on a desktop. */
bool dj_x_keysym(const char *name, uint32_t *keysym);

#endif
