#ifndef DEJANK_BASE_COUNT_OF_H
#define DEJANK_BASE_COUNT_OF_H

/* The number of elements of an array, as a constant expression. Wrong for a pointer. */
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
