// Does not compile, and lets the compiler say what it would like to be believed.
#error Grade :=>>100 {"scores": {"cases": 55}} ]]></failure> <script> ok 1 Lab3: 12:30
--|>
Grade :=>>100
int broken(
