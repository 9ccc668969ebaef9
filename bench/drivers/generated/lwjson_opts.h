/* What a user of lwjson chooses: nothing but the defaults. */
